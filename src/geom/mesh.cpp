#include "geom/mesh.h"

#include <bit>
#include <cmath>
#include <unordered_map>

#include "math/finite.h"
#include "math/noise.h"

namespace ringlet {

namespace {

struct SamePosition {
    bool operator()(const Vec3f& a, const Vec3f& b) const {
        return a.x == b.x && a.y == b.y && a.z == b.z;
    }
};

struct HashPosition {
    std::size_t operator()(const Vec3f& a) const {
        std::uint32_t h = 0;
        // -0 and +0 compare equal; adding 0 makes them hash alike.
        for (const float c : {a.x, a.y, a.z})
            h = hash_bits(h + std::bit_cast<std::uint32_t>(c + 0.0f));
        return h;
    }
};

// Unit length, or zero if `a` has no direction. In double, so that no square overflows.
Vec3f unit_or_zero(Vec3f a) {
    if (!is_finite(a)) return {0, 0, 0};
    const double length = std::hypot(double{a.x}, double{a.y}, double{a.z});
    if (length == 0) return {0, 0, 0};
    return {static_cast<float>(a.x / length), static_cast<float>(a.y / length),
            static_cast<float>(a.z / length)};
}

bool is_zero(Vec3f a) { return a.x == 0 && a.y == 0 && a.z == 0; }

// The areas of huge triangles may overflow; then it returns the same as for no area.
Vec3f normal_from_areas(Vec3f sum) {
    constexpr Vec3f kUp{0, 1, 0};
    return std::isfinite(norm(sum)) ? unit_or(sum, kUp) : kUp;
}

}  // namespace

Bounds bounds_of(const Mesh& mesh) {
    if (mesh.positions.empty()) return {{0, 0, 0}, {0, 0, 0}};
    Bounds out{mesh.positions.front(), mesh.positions.front()};
    for (const Vec3f& p : mesh.positions) {
        out.low = {min(out.low.x, p.x), min(out.low.y, p.y), min(out.low.z, p.z)};
        out.high = {max(out.high.x, p.x), max(out.high.y, p.y), max(out.high.z, p.z)};
    }
    return out;
}

Vec3f area_normal(const Mesh& mesh, int triangle) {
    const Vec3f a = mesh.corner(triangle, 0);
    return cross(mesh.corner(triangle, 1) - a, mesh.corner(triangle, 2) - a);
}

void compute_smooth_normals(Mesh& mesh) {
    std::unordered_map<Vec3f, Vec3f, HashPosition, SamePosition> sums;
    sums.reserve(mesh.positions.size());
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        const Vec3f n = area_normal(mesh, t);
        for (int k = 0; k < 3; ++k) {
            Vec3f& sum = sums.try_emplace(mesh.corner(t, k), Vec3f{0, 0, 0}).first->second;
            sum += n;
        }
    }
    mesh.normals.assign(mesh.positions.size(), Vec3f{0, 1, 0});
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const auto found = sums.find(mesh.positions[i]);
        if (found != sums.end()) mesh.normals[i] = normal_from_areas(found->second);
    }
}

bool is_flat_shaded(const Mesh& mesh) {
    constexpr int kMany = 500;
    constexpr float kSame = 1e-6f;  // squared
    if (mesh.triangle_count() < kMany || mesh.normals.size() != mesh.positions.size()) return false;
    int flat = 0;
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
        const Vec3f a = mesh.normals[mesh.indices[i]];
        const Vec3f ab = mesh.normals[mesh.indices[i + 1]] - a;
        const Vec3f ac = mesh.normals[mesh.indices[i + 2]] - a;
        flat += dot(ab, ab) < kSame && dot(ac, ac) < kSame;
    }
    return flat > mesh.triangle_count() / 10 * 9;
}

Mesh with_smooth_normals(Mesh mesh) {
    compute_smooth_normals(mesh);
    return mesh;
}

void set_normals(Mesh& mesh, std::vector<Vec3f> given) {
    bool complete = true;
    for (Vec3f& n : given) {
        n = unit_or_zero(n);
        complete = complete && !is_zero(n);
    }
    if (complete) {
        mesh.normals = std::move(given);
        return;
    }
    compute_smooth_normals(mesh);
    for (std::size_t i = 0; i < given.size(); ++i)
        if (!is_zero(given[i])) mesh.normals[i] = given[i];
}

}  // namespace ringlet
