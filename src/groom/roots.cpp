#include "groom/roots.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/noise.h"
#include "strand/morton.h"

namespace ringlet {

namespace {

// The triangles that may grow hair, with their running sum of areas.
struct ScalpArea {
    std::vector<int> triangles;
    std::vector<double> cumulative;  // m^2, including the triangle
};

template <class Names, class NameOf>
std::string listing(const Names& names, NameOf name_of) {
    std::string out;
    for (const auto& entry : names) out += (out.empty() ? "" : ", ") + name_of(entry);
    return out;
}

// Sorts triangles along a Morton curve. The Halton sequence is even along the running sum of areas;
// with neighbouring triangles next to each other in it, roots are even on the skin as well.
std::vector<int> in_curve_order(const Mesh& mesh, const GrowthWeight& growth) {
    std::vector<Vec3f> centres;
    std::vector<int> triangles;
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        if (!mesh.may_grow_hair(t) || !growth.may_grow(t)) continue;
        triangles.push_back(t);
        centres.push_back((mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2)) * (1.0f / 3));
    }
    const std::vector<std::uint32_t> codes = morton_codes(centres);
    std::vector<std::size_t> order(triangles.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return codes[a] < codes[b]; });
    std::vector<int> out;
    out.reserve(order.size());
    for (const std::size_t k : order) out.push_back(triangles[k]);
    return out;
}

ScalpArea scalp_area_of(const Mesh& mesh, const GrowthWeight& growth) {
    ScalpArea out;
    double total = 0;
    for (const int t : in_curve_order(mesh, growth)) {
        const double area = 0.5 * static_cast<double>(norm(area_normal(mesh, t)));
        if (!(area > 0)) continue;
        total += area;
        out.triangles.push_back(t);
        out.cumulative.push_back(total);
    }
    return out;
}

// Halton sequence, shifted by the seed modulo 1 (Cranley-Patterson rotation, which keeps it even).
double shifted_halton(std::uint64_t index, std::uint32_t base, std::uint32_t seed) {
    const double x = halton(index + 1, base) + counter_uniform(seed, base, 0x726f6f74);
    return x - std::floor(x);
}

SkinPoint point_in(const Mesh& mesh, int triangle, double u, double v) {
    // Folds the unit square onto the triangle along its diagonal: keeps evenness, needs no sqrt.
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    const auto b = static_cast<float>(u), c = static_cast<float>(v), a = 1 - b - c;
    const std::uint32_t* corner = &mesh.indices[static_cast<std::size_t>(triangle) * 3];
    const auto interpolate = [&](const std::vector<Vec3f>& values) {
        return values[corner[0]] * a + values[corner[1]] * b + values[corner[2]] * c;
    };
    const Vec2f ta = mesh.uvs[corner[0]], tb = mesh.uvs[corner[1]], tc = mesh.uvs[corner[2]];
    const Vec3f face = unit_or(area_normal(mesh, triangle), Vec3f{0, 1, 0});
    return {interpolate(mesh.positions),
            unit_or(interpolate(mesh.normals), face),
            {ta.x * a + tb.x * b + tc.x * c, ta.y * a + tb.y * b + tc.y * c},
            triangle,
            b,
            c};
}

SkinPoint point_at(const Mesh& mesh, const ScalpArea& scalp, std::uint64_t index,
                   std::uint32_t seed) {
    const double area = shifted_halton(index, 2, seed) * scalp.cumulative.back();
    const auto found = std::upper_bound(scalp.cumulative.begin(), scalp.cumulative.end() - 1, area);
    const int triangle =
        scalp.triangles[static_cast<std::size_t>(found - scalp.cumulative.begin())];
    return point_in(mesh, triangle, shifted_halton(index, 3, seed), shifted_halton(index, 5, seed));
}

Root root_of(const Mesh& mesh, const GrowthWeight& growth, const SkinPoint& point, float soft) {
    Root root{point.position,
              point.normal,
              point.uv,
              point.triangle,
              mesh.triangle_group[static_cast<std::size_t>(point.triangle)],
              soft};
    // Hair grows away from the skull even where faces are doubled with both windings.
    if (growth.skull() && dot(root.normal, root.position - growth.skull()->centre) < 0)
        root.normal = -root.normal;
    return root;
}

Error nowhere(const Mesh& mesh, const std::string& scalp) {
    if (scalp.empty() || scalp == kAutoScalp)
        return Error{"the mesh has no surface to grow hair on"};
    return Error{"no material or group \"" + scalp + "\" in the mesh; it has materials: " +
                 listing(mesh.materials, [](const Material& m) { return m.name; }) +
                 "; groups: " + listing(mesh.groups, [](const std::string& g) { return g; }) +
                 "; groom.scalp = \"auto\" finds the cap of a head"};
}

Error almost_nowhere(const std::string& scalp) {
    const std::string start = "hair can grow almost nowhere: ";
    if (scalp == kAutoScalp)
        return Error{
            start +
            "groom.scalp = \"auto\" and the rules leave less than 0.1 % of the mesh; check "
            "groom.mesh_up and groom.mesh_facing, or name a material or group in "
            "groom.scalp"};
    return Error{start +
                 "groom.density, groom.length_image, groom.facing_up, groom.scalp_colour, "
                 "groom.rule and groom.painted leave less than 0.1 % of the scalp; brighten the "
                 "image, lower groom.facing_up or remove a rule"};
}

Result<std::vector<Root>> scatter_on(const Mesh& mesh, const RootRules& rules, int count) {
    const GrowthWeight growth(mesh, rules);
    const ScalpArea scalp = scalp_area_of(mesh, growth);
    const bool is_named = !rules.scalp.empty() && rules.scalp != kAutoScalp;
    if (scalp.triangles.empty() || (is_named && !has_material_or_group(mesh, rules.scalp)))
        return nowhere(mesh, rules.scalp);
    // Candidates are tested in sequence order, so the first n roots do not depend on `count`.
    constexpr std::uint64_t kCandidatesPerRoot = 1000;  // allows rules that accept 0.1 %
    constexpr std::uint64_t kFirstCheck = 200000, kLeastAccepted = 50;  // a fourth of 0.1 %
    std::vector<Root> roots;
    roots.reserve(static_cast<std::size_t>(count));
    const std::uint64_t last = static_cast<std::uint64_t>(count) * kCandidatesPerRoot;
    for (std::uint64_t index = 0; index < last && std::ssize(roots) < count; ++index) {
        if (index == kFirstCheck && roots.size() < kLeastAccepted) break;  // fails soon
        const SkinPoint point = point_at(mesh, scalp, index, rules.seed);
        const Growth here = growth.at(point);
        const float chance =
            counter_uniform(rules.seed, static_cast<std::uint32_t>(index), 0x64656e73);
        if (chance < here.weight) roots.push_back(root_of(mesh, growth, point, here.soft));
    }
    if (std::ssize(roots) < count) return almost_nowhere(rules.scalp);
    return roots;
}

}  // namespace

Result<std::vector<Root>> scatter_roots(const Mesh& mesh, const RootRules& rules, int count) {
    return is_flat_shaded(mesh) ? scatter_on(with_smooth_normals(mesh), rules, count)
                                : scatter_on(mesh, rules, count);
}

double growing_area(const Mesh& mesh, const RootRules& rules) {
    const GrowthWeight growth(mesh, rules);
    const ScalpArea scalp = scalp_area_of(mesh, growth);
    if (scalp.triangles.empty()) return 0;
    constexpr std::uint64_t kSamples = 8192;
    double sum = 0;
    for (std::uint64_t k = 0; k < kSamples; ++k)
        sum += static_cast<double>(growth.at(point_at(mesh, scalp, k, rules.seed)).weight);
    return scalp.cumulative.back() * sum / kSamples;
}

}  // namespace ringlet
