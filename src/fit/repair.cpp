#include "fit/repair.h"

#include <algorithm>
#include <cmath>

#include "fit/mesh_topology.h"
#include "fit/vec3d.h"
#include "geom/weld.h"
#include "math/finite.h"

namespace ringlet {

namespace {

Result<void> check_positions(const Mesh& mesh, const std::string& name) {
    for (std::size_t i = 0; i < mesh.positions.size(); ++i)
        if (!is_finite(mesh.positions[i]))
            return Error{"vertex " + std::to_string(i) +
                             " (counted from 0) is not a finite number; remove it or export the "
                             "mesh again",
                         name};
    for (int t = 0; t < mesh.triangle_count(); ++t)
        if (norm(area_normal(mesh, t)) > 0) return {};
    return Error{
        "the mesh has no surface: every triangle has zero area; check the scale of the export",
        name};
}

// Area, centroid and signed volume of each component, with its triangles wound consistently.
struct ComponentSums {
    double area = 0;
    Vec3d centre;
    double volume = 0;
};

double signed_volume(Vec3f a, Vec3f b, Vec3f c, const Vec3d& o) {
    const Vec3d p = minus(a, o), q = minus(b, o), r = minus(c, o);
    return (p.x * (q.y * r.z - q.z * r.y) + p.y * (q.z * r.x - q.x * r.z) +
            p.z * (q.x * r.y - q.y * r.x)) /
           6;
}

bool is_opposed(const MeshComponents& parts, std::size_t t) {
    return parts.opposed[t] && parts.consistent[static_cast<std::size_t>(parts.of[t])];
}

std::vector<ComponentSums> sums_of(const Mesh& mesh, const MeshComponents& parts) {
    std::vector<ComponentSums> out(static_cast<std::size_t>(parts.count));
    const auto for_each = [&](const auto& use) {
        for (int t = 0; t < mesh.triangle_count(); ++t)
            if (const std::int32_t part = parts.of[static_cast<std::size_t>(t)]; part >= 0)
                use(t, out[static_cast<std::size_t>(part)]);
    };
    for_each([&](int t, ComponentSums& sums) {
        const double area = 0.5 * static_cast<double>(norm(area_normal(mesh, t)));
        const Vec3f middle = mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2);
        sums.area += area;
        sums.centre.x += area / 3 * static_cast<double>(middle.x);
        sums.centre.y += area / 3 * static_cast<double>(middle.y);
        sums.centre.z += area / 3 * static_cast<double>(middle.z);
    });
    for (ComponentSums& sums : out)
        if (sums.area > 0)
            sums.centre = {sums.centre.x / sums.area, sums.centre.y / sums.area,
                           sums.centre.z / sums.area};
    for_each([&](int t, ComponentSums& sums) {
        const double volume =
            signed_volume(mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2), sums.centre);
        sums.volume += is_opposed(parts, static_cast<std::size_t>(t)) ? -volume : volume;
    });
    return out;
}

// Whether the sign of the volume determines which side is outside.
bool is_sound(const ComponentSums& sums, bool closed, double total_area) {
    // 0.094 A^1.5 is the volume of a ball with surface A.
    constexpr double kBall = 0.0940, kLeast = 0.05, kLeastOpenArea = 0.05;
    const bool large = closed || sums.area > kLeastOpenArea * total_area;
    return large && std::abs(sums.volume) > kLeast * kBall * std::pow(sums.area, 1.5);
}

// Which triangles to turn around.
std::vector<bool> find_inward(const Mesh& mesh, const MeshComponents& parts) {
    const std::vector<ComponentSums> sums = sums_of(mesh, parts);
    const auto count = static_cast<std::size_t>(mesh.triangle_count());
    double total = 0;
    for (const ComponentSums& s : sums) total += s.area;
    std::vector<bool> out(count, false);
    // Area of the sound components that is wound inwards, minus that wound outwards.
    double inward = 0;
    std::vector<double> kept(sums.size(), 0);  // area wound like the first triangle, minus the rest
    for (std::size_t t = 0; t < count; ++t) {
        if (parts.of[t] < 0) continue;
        const auto part = static_cast<std::size_t>(parts.of[t]);
        const double area = static_cast<double>(norm(area_normal(mesh, static_cast<int>(t))));
        kept[part] += is_opposed(parts, t) ? -area : area;
        if (!is_sound(sums[part], parts.closed[part], total)) continue;
        out[t] = is_opposed(parts, t) != (sums[part].volume < 0);
        inward += out[t] ? area : -area;
    }
    for (std::size_t t = 0; t < count; ++t) {
        if (parts.of[t] < 0) continue;
        const auto part = static_cast<std::size_t>(parts.of[t]);
        if (is_sound(sums[part], parts.closed[part], total)) continue;
        // The majority of the component keeps its winding, unless the sound part is inside out.
        out[t] = (is_opposed(parts, t) != (kept[part] < 0)) != (inward > 0);
    }
    return out;
}

// Replaces the normals that are missing, not finite or against the winding. Returns how many were
// against it.
std::size_t repair_normals(Mesh& mesh, const std::vector<std::uint32_t>& weld) {
    std::vector<Vec3f> own(mesh.positions.size(), {0, 0, 0}), shared = own;
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        const Vec3f n = area_normal(mesh, t);
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t v = mesh.indices[static_cast<std::size_t>(t) * 3 + k];
            own[v] += n;
            shared[weld[v]] += n;
        }
    }
    std::size_t against = 0;
    mesh.normals.resize(mesh.positions.size(), {0, 0, 0});
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        Vec3f& normal = mesh.normals[v];
        const bool missing = !is_finite(normal) || dot(normal, normal) < 0.25f;
        const bool opposite = !missing && dot(normal, own[v]) < 0;
        if (!missing && !opposite) continue;
        against += opposite;
        normal = unit_or(shared[weld[v]], unit_or(own[v], Vec3f{0, 1, 0}));
    }
    return against;
}

std::string share_text(std::size_t count, std::size_t all) {
    return std::to_string(count) + " of " + std::to_string(all);
}

}  // namespace

Result<void> repair_mesh(Mesh& mesh, const std::string& name, Messages& messages) {
    if (mesh.triangle_count() == 0) return {};
    Result<void> sound = check_positions(mesh, name);
    if (!sound) return sound;
    const std::vector<std::uint32_t> weld = weld_positions(mesh.positions);
    const std::vector<bool> repeated = find_repeated(mesh, weld);
    const std::vector<bool> inward = find_inward(mesh, find_components(mesh, weld, repeated));
    std::size_t collapsed = 0, turned_count = 0;
    for (std::size_t t = 0; t < repeated.size(); ++t) {
        std::uint32_t* corner = mesh.indices.data() + t * 3;
        // A triangle with two equal corners has no area; it stays as it is.
        if (repeated[t] && norm(area_normal(mesh, static_cast<int>(t))) > 0) {
            corner[1] = corner[2] = corner[0];
            ++collapsed;
        } else if (inward[t]) {
            std::swap(corner[1], corner[2]);
            ++turned_count;
        }
    }
    const std::size_t against = repair_normals(mesh, weld);
    // Normals that the reader computed from faces of both windings have any direction, and half of
    // them are against the winding.
    if (collapsed > 0 && against > mesh.normals.size() / 10) compute_smooth_normals(mesh);
    const std::size_t all = repeated.size();
    if (turned_count > 0)
        messages.warnings.push_back(
            {share_text(turned_count, all) + " faces were wound inside out and were turned around",
             name, "recalculate the normals to the outside where the mesh was made"});
    else if (against > 0)
        messages.warnings.push_back(
            {share_text(against, mesh.normals.size()) +
                 " normals pointed into the mesh and were computed again",
             name, "recalculate the normals to the outside where the mesh was made"});
    if (collapsed > 0)
        messages.warnings.push_back(
            {share_text(collapsed, all) + " faces repeat another face and are ignored", name,
             "remove doubled faces where the mesh was made"});
    return {};
}

}  // namespace ringlet
