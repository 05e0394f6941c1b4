#include "collide/mesh_body.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "geom/bvh.h"

namespace ringlet {

namespace {

constexpr float kBand = 0.035f;    // m; the largest groomed gap that hair may keep
constexpr float kBandCells = 4;    // and at least this many cells
constexpr int kCoarser = 4;        // fine cells along one coarse cell
constexpr float kSheetCells = 2;   // a thinner sheet is missed by the samples
constexpr int kMinInsideRays = 4;  // rays of 6 that make a sample an inside one
// Fraction of inside samples among those next to the surface: about half in a solid.
constexpr double kSolidShare = 0.15;
constexpr float kMaxExtent = 1e4f;   // m
constexpr float kUnbounded = 1e15f;  // m; its square does not overflow

float band_for(float cell, float thickness) {
    return max(kBand, kBandCells * cell) + 0.5f * thickness;
}

double samples_for(Vec3f extent, float cell, float thickness) {
    const double margin = 2 * static_cast<double>(band_for(cell, thickness));
    double count = 1;
    for (const float side : {extent.x, extent.y, extent.z})
        count *= std::floor((static_cast<double>(side) + margin) / static_cast<double>(cell)) + 2;
    return count;
}

// The smallest cell that needs at most `most` samples.
float finest_cell(Vec3f extent, float thickness, double most) {
    float cell = 1e-5f;
    while (samples_for(extent, cell, thickness) > most) cell *= 1.02f;
    return cell;
}

std::string metres(float a) {
    std::string text = std::to_string(a);
    text.erase(text.find_last_not_of('0') + 1);
    return text + (text.ends_with('.') ? "0 m" : " m");
}

Vec3f position_of_sample(const GridShape& shape, int x, int y, int z) {
    return shape.low +
           Vec3f{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)} * shape.cell;
}

DistanceGrid grid_over(const GridShape& shape, const std::vector<float>& samples) {
    return {samples.data(),
            shape.low,
            shape.cell,
            1 / shape.cell,
            static_cast<float>(shape.size[0]),
            static_cast<float>(shape.size[1]),
            static_cast<float>(shape.size[2]),
            0};
}

// An upper bound on how much interpolation between samples `cell` apart exceeds the distance, if
// all distances are at least `least`: the curvature of a distance function is at most 1/distance.
float interpolation_excess(float cell, float least) {
    return 0.375f * cell * cell / max(least, 0.25f * cell);
}

// Unsigned distances at all samples: exact within `band` according to `coarse`, otherwise a lower
// bound. Without a coarse grid all are exact.
std::vector<float> distances(const Bvh& bvh, const GridShape& shape, const DistanceGrid* coarse,
                             float band, const TaskPool& pool) {
    std::vector<float> out(shape.count());
    pool.for_each(shape.size[2], [&](int z) {
        float* at = out.data() + static_cast<std::size_t>(z) *
                                     static_cast<std::size_t>(shape.size[1]) *
                                     static_cast<std::size_t>(shape.size[0]);
        for (int y = 0; y < shape.size[1]; ++y) {
            float reach = kUnbounded;  // an upper bound for the next sample of the row
            for (int x = 0; x < shape.size[0]; ++x, ++at) {
                const Vec3f p = position_of_sample(shape, x, y, z);
                if (coarse) {
                    const float guess = sample_grid(*coarse, p).distance, doubt = coarse->cell;
                    if (guess > band + doubt) {
                        *at = guess - interpolation_excess(doubt, guess - 1.75f * doubt);
                        reach = kUnbounded;
                        continue;
                    }
                    reach = min(reach, guess + 1.75f * doubt);
                }
                const ClosestPoint found = bvh.closest(p, reach * 1.0001f);
                *at = found.triangle < 0 ? reach : abs(found.distance);
                reach = *at + shape.cell;
            }
        }
    });
    return out;
}

// Distances differ by no more than positions, which sample_coarsely() relies on. Where a mesh is
// open, the sign changes far from the surface and they do. This closes the opening: halfway between
// samples of opposite signs runs a surface, and the distances around it become no larger than those
// to this surface. Closed meshes stay as they are.
class OpeningCloser {
public:
    OpeningCloser(const GridShape& shape, std::vector<float>& samples)
        : shape_(shape), samples_(samples) {
        for (int z = -1; z <= 1; ++z)
            for (int y = -1; y <= 1; ++y)
                for (int x = -1; x <= 1; ++x)
                    if (const int square = x * x + y * y + z * z; square > 0)
                        steps_.push_back(
                            {x, y, z, shape.cell * std::sqrt(static_cast<float>(square))});
    }

    void run() {
        for (int z = 0; z < shape_.size[2]; ++z)
            for (int y = 0; y < shape_.size[1]; ++y)
                for (int x = 0; x < shape_.size[0]; ++x)
                    for_each_neighbour(x, y, z, [&](float& here, float& there, float length) {
                        const bool jumps =
                            (here < 0) != (there < 0) && abs(there - here) > kTolerance * length;
                        if (jumps) shorten(here, 0.5f * length);
                    });
        for (std::size_t k = 0; k < changed_.size(); ++k) {
            const auto at = changed_[k];
            const auto row = static_cast<std::size_t>(shape_.size[0]);
            const auto slice = row * static_cast<std::size_t>(shape_.size[1]);
            for_each_neighbour(static_cast<int>(at % row), static_cast<int>(at % slice / row),
                               static_cast<int>(at / slice),
                               [&](float& here, float& there, float length) {
                                   if ((here < 0) == (there < 0))
                                       shorten(there, abs(here) + length);
                               });
        }
    }

private:
    static constexpr float kTolerance = 1.001f;  // covers rounding

    // To a neighbouring sample.
    struct Step {
        int x, y, z;
        float length;  // m
    };

    template <class Body>
    void for_each_neighbour(int x, int y, int z, const Body& body) {
        float& here = samples_[index(x, y, z)];
        for (const Step& step : steps_)
            if (is_in_grid(x + step.x, y + step.y, z + step.z))
                body(here, samples_[index(x + step.x, y + step.y, z + step.z)], step.length);
    }

    void shorten(float& sample, float most) {
        if (abs(sample) <= kTolerance * most) return;
        sample = sample < 0 ? -most : most;
        changed_.push_back(static_cast<std::size_t>(&sample - samples_.data()));
    }

    bool is_in_grid(int x, int y, int z) const {
        return x >= 0 && y >= 0 && z >= 0 && x < shape_.size[0] && y < shape_.size[1] &&
               z < shape_.size[2];
    }
    std::size_t index(int x, int y, int z) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(shape_.size[1]) +
                static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(shape_.size[0]) +
               static_cast<std::size_t>(x);
    }

    const GridShape& shape_;
    std::vector<float>& samples_;
    std::vector<Step> steps_;
    std::vector<std::size_t> changed_;
};

bool has_inside(const std::vector<float>& distance, const std::vector<std::int8_t>& inside_rays,
                float cell) {
    std::int64_t near = 0, inside = 0;
    for (std::size_t k = 0; k < inside_rays.size(); ++k) {
        if (!(distance[k] < cell)) continue;
        ++near;
        inside += inside_rays[k] >= kMinInsideRays;
    }
    return static_cast<double>(inside) > kSolidShare * static_cast<double>(near);
}

// Ignores unused vertices and degenerate triangles.
Bounds bounds_of_triangles(const Mesh& mesh) {
    Mesh used;
    for (int t = 0; t < mesh.triangle_count(); ++t)
        if (norm(area_normal(mesh, t)) > 0)
            for (int k = 0; k < 3; ++k) used.positions.push_back(mesh.corner(t, k));
    return bounds_of(used);
}

bool is_finite(const Mesh& mesh) {
    return std::all_of(mesh.positions.begin(), mesh.positions.end(),
                       [](Vec3f p) { return std::isfinite(p.x + p.y + p.z); });
}

}  // namespace

Result<std::shared_ptr<const MeshBody>> MeshBody::make(Mesh mesh, const MeshBodySettings& settings,
                                                       const TaskPool& pool) {
    if (!is_finite(mesh)) return Error{"the mesh has coordinates that are not finite"};
    std::shared_ptr<MeshBody> body(new MeshBody);
    body->surface_ = std::move(mesh);
    const Result<void> done = body->lay_out(settings);
    if (!done) return done.error();
    body->measure(!settings.room, pool);
    return std::shared_ptr<const MeshBody>(std::move(body));
}

Result<void> MeshBody::lay_out(const MeshBodySettings& settings) {
    const Bounds bounds = settings.room.value_or(bounds_of_triangles(surface_));
    room_ = bounds;
    const Vec3f extent = bounds.high - bounds.low;
    const float longest = max(max(extent.x, extent.y), extent.z);
    if (!(longest > 0)) return Error{"the mesh has no surface"};
    if (longest > kMaxExtent)
        return Error{"the mesh is " + metres(longest) + " across; lower collider.scale"};
    thickness_ = settings.thickness;
    const float finest = finest_cell(extent, thickness_, kMaxSamples);
    float cell = settings.cell;
    if (!(cell > 0)) {
        cell = finest_cell(extent, thickness_, settings.samples);
        if (thickness_ > 0) cell = max(min(cell, thickness_ / kSheetCells), finest);
    }
    if (cell < finest)
        return Error{"cells of " + metres(cell) +
                     " are too many for the mesh; collider.cell must be " + "at least " +
                     metres(finest)};
    if (thickness_ > 0 && thickness_ < 0.999f * kSheetCells * cell)
        return Error{"a sheet " + metres(thickness_) + " thick is too thin for cells of " +
                     metres(cell) + "; collider.thickness must be at least " +
                     metres(kSheetCells * max(settings.cell, finest))};
    band_ = band_for(cell, thickness_);
    grid_.cell = cell;
    grid_.low = bounds.low - Vec3f{band_, band_, band_};
    const float sides[3] = {extent.x, extent.y, extent.z};
    for (int k = 0; k < 3; ++k) size_[k] = static_cast<int>((sides[k] + 2 * band_) / cell) + 2;
    return {};
}

void MeshBody::measure(bool is_rigid, const TaskPool& pool) {
    const Bvh bvh(surface_);
    const GridShape fine = shape();
    GridShape coarse = fine;
    coarse.cell = kCoarser * fine.cell;
    for (int& side : coarse.size) side = side / kCoarser + 2;
    const std::vector<float> coarse_samples = distances(bvh, coarse, nullptr, 0, pool);
    const DistanceGrid coarse_grid = grid_over(coarse, coarse_samples);
    samples_ = distances(bvh, fine, &coarse_grid, band_, pool);
    is_solid_ = !(thickness_ > 0);
    std::vector<std::int8_t> inside_rays;
    if (is_solid_) {
        inside_rays = count_inside_rays(surface_, fine);
        is_solid_ = has_inside(samples_, inside_rays, fine.cell);
        if (!is_solid_) thickness_ = kSheetCells * fine.cell;
    }
    set_signs(inside_rays);
    // reshape() reads the unsigned distances of a body that deforms.
    if (is_solid_ && is_rigid) OpeningCloser(fine, samples_).run();
    lower_faces();
    grid_ = grid_over(fine, samples_);
    grid_.inset = 0.999f * band_ - 0.5f * thickness_;
}

GridShape MeshBody::shape() const {
    return {grid_.low, grid_.cell, {size_[0], size_[1], size_[2]}};
}

void MeshBody::set_signs(const std::vector<std::int8_t>& inside_rays) {
    if (is_solid_) {
        for (std::size_t k = 0; k < inside_rays.size(); ++k)
            if (inside_rays[k] >= kMinInsideRays) samples_[k] = -samples_[k];
        return;
    }
    for (float& sample : samples_) sample -= 0.5f * thickness_;
}

void MeshBody::reshape(const std::vector<Vec3f>& positions, const TaskPool& pool) {
    const std::vector<Vec3f> before = std::exchange(surface_.positions, positions);
    float most = 0;
    for (std::size_t k = 0; k < before.size(); ++k)
        most = max(most, norm(positions[k] - before[k]));
    moves_.assign(3 * samples_.size(), 0);
    version_ = new_grid_version();
    if (!(most > 0)) return;
    const Bvh bvh(surface_);
    const GridShape grid = shape();
    const float doubt = most + lowering();
    const auto move_of = [&](const ClosestPoint& at) {
        Vec3f out{0, 0, 0};
        for (std::size_t k = 0; k < 3; ++k) {
            const auto corner = surface_.indices[static_cast<std::size_t>(at.triangle) * 3 + k];
            out += (positions[corner] - before[corner]) * at.weight[k];
        }
        return out;
    };
    pool.for_each(grid.size[2] * grid.size[1], [&](int line) {
        const int y = line % grid.size[1], z = line / grid.size[1];
        std::size_t at = static_cast<std::size_t>(line) * static_cast<std::size_t>(grid.size[0]);
        ClosestPoint last;  // of the previous sample: bounds the distance of the next
        for (int x = 0; x < grid.size[0]; ++x, ++at) {
            float& sample = samples_[at];
            sample = is_solid_ ? abs(sample) : sample + 0.5f * thickness_;
            if (sample - most > band_) {
                sample -= most;
                continue;
            }
            const Vec3f p = position_of_sample(grid, x, y, z);
            float reach = sample + doubt;
            if (last.triangle >= 0) reach = min(reach, 1.0001f * norm(p - last.point));
            last = bvh.closest(p, reach);
            if (last.triangle < 0) continue;
            sample = abs(last.distance) - (is_face(x, y, z) ? lowering() : 0);
            const Vec3f moved = move_of(last);
            moves_[3 * at] = moved.x;
            moves_[3 * at + 1] = moved.y;
            moves_[3 * at + 2] = moved.z;
        }
    });
    set_signs(is_solid_ ? count_inside_rays(surface_, grid) : std::vector<std::int8_t>());
}

bool MeshBody::has_room_for(Vec3f point) const {
    return point.x >= room_.low.x && point.y >= room_.low.y && point.z >= room_.low.z &&
           point.x <= room_.high.x && point.y <= room_.high.y && point.z <= room_.high.z;
}

std::array<std::span<std::byte>, 3> MeshBody::changing_memory() {
    moves_.resize(3 * samples_.size());
    return {std::as_writable_bytes(std::span(surface_.positions)),
            std::as_writable_bytes(std::span(samples_)), std::as_writable_bytes(std::span(moves_))};
}

bool MeshBody::is_face(int x, int y, int z) const {
    const auto is_end = [](int k, int size) { return k == 0 || k == size - 1; };
    return is_end(x, size_[0]) || is_end(y, size_[1]) || is_end(z, size_[2]);
}

float MeshBody::lowering() const {
    return interpolation_excess(grid_.cell, 0.9f * band_ - 2 * grid_.cell) + 1e-5f * grid_.cell;
}

// Keeps distances outside the grid, which are extrapolated from its faces, lower bounds.
void MeshBody::lower_faces() {
    std::size_t at = 0;
    for (int z = 0; z < size_[2]; ++z)
        for (int y = 0; y < size_[1]; ++y)
            for (int x = 0; x < size_[0]; ++x, ++at)
                if (is_face(x, y, z)) samples_[at] -= lowering();
}

std::uint64_t new_grid_version() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

DistanceGrid MeshBody::grid() const {
    DistanceGrid out = grid_;
    out.samples = samples_.data();  // of this object, not of the one it was copied from
    out.version = version_;
    return out;
}

Result<Mesh> part_of_mesh(const Mesh& mesh, const std::string& name) {
    if (name.empty()) return mesh;
    Mesh out = mesh;
    out.indices.clear();
    out.triangle_material.clear();
    out.triangle_group.clear();
    out.triangle_part.clear();
    out.parts.clear();
    out.grows_hair.clear();
    for (std::size_t t = 0; t < mesh.indices.size() / 3; ++t) {
        const std::int32_t material = mesh.triangle_material[t], group = mesh.triangle_group[t];
        const bool wanted =
            (material >= 0 && mesh.materials[static_cast<std::size_t>(material)].name == name) ||
            (group >= 0 && mesh.groups[static_cast<std::size_t>(group)] == name);
        if (!wanted) continue;
        for (std::size_t k = 0; k < 3; ++k) out.indices.push_back(mesh.indices[3 * t + k]);
        out.triangle_material.push_back(material);
        out.triangle_group.push_back(group);
    }
    if (!out.indices.empty()) return out;
    std::string known;
    for (const Material& material : mesh.materials)
        known += (known.empty() ? "" : ", ") + material.name;
    for (const std::string& group : mesh.groups)
        if (known.find(group) == std::string::npos) known += (known.empty() ? "" : ", ") + group;
    return Error{"the mesh has no group or material \"" + name + "\"; it has " +
                 (known.empty() ? "none" : known)};
}

}  // namespace ringlet
