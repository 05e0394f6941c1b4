#include "geom/bvh.h"

#include <algorithm>

namespace ringlet {

namespace {

constexpr std::int32_t kLeafSize = 4;

float axis_of(Vec3f a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

void grow(Bounds& bounds, Vec3f p) {
    bounds.low = {min(bounds.low.x, p.x), min(bounds.low.y, p.y), min(bounds.low.z, p.z)};
    bounds.high = {max(bounds.high.x, p.x), max(bounds.high.y, p.y), max(bounds.high.z, p.z)};
}

float squared_distance(const Bounds& bounds, Vec3f p) {
    const Vec3f inside{min(max(p.x, bounds.low.x), bounds.high.x),
                       min(max(p.y, bounds.low.y), bounds.high.y),
                       min(max(p.z, bounds.low.z), bounds.high.z)};
    return dot(p - inside, p - inside);
}

struct Weights {
    float a, b, c;
};

// Barycentric weights of the point of triangle abc closest to p, by the Voronoi region of p: a
// corner, an edge or the inside (Ericson, Real-Time Collision Detection, 5.1.5).
Weights closest_weights(Vec3f a, Vec3f b, Vec3f c, Vec3f p) {
    const Vec3f ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const float d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
    const float d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
    const float d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
    const float va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const float t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return {0, 1 - t, t};
    }
    const float total = va + vb + vc;
    if (!(total > 0)) return {1, 0, 0};  // the area underflows: all its points are equally close
    const float scale = 1 / total;
    return {1 - (vb + vc) * scale, vb * scale, vc * scale};
}

}  // namespace

Bvh::Bvh(const Mesh& mesh) {
    if (is_flat_shaded(mesh))
        add_triangles(with_smooth_normals(mesh));
    else
        add_triangles(mesh);
    if (triangles_.empty()) return;
    nodes_.reserve(triangles_.size());
    build(0, static_cast<std::int32_t>(triangles_.size()));
}

void Bvh::add_triangles(const Mesh& mesh) {
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        const Vec3f n = area_normal(mesh, t);
        if (!(dot(n, n) > 0)) continue;
        Triangle triangle{{mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)}, {}, t};
        for (std::size_t k = 0; k < 3; ++k)
            triangle.normal[k] = mesh.normals[mesh.indices[static_cast<std::size_t>(t) * 3 + k]];
        triangles_.push_back(triangle);
    }
}

void Bvh::build(std::int32_t first, std::int32_t count) {
    const auto begin = triangles_.begin() + first, end = begin + count;
    Node node{{begin->corner[0], begin->corner[0]}, first, count};
    for (auto t = begin; t != end; ++t)
        for (const Vec3f& corner : t->corner) grow(node.bounds, corner);
    const std::size_t here = nodes_.size();
    nodes_.push_back(node);
    if (count <= kLeafSize) return;

    const Vec3f size = node.bounds.high - node.bounds.low;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const auto centre = [&](const Triangle& t) {
        return axis_of(t.corner[0] + t.corner[1] + t.corner[2], axis);
    };
    std::nth_element(begin, begin + count / 2, end, [&](const Triangle& a, const Triangle& b) {
        return centre(a) != centre(b) ? centre(a) < centre(b) : a.id < b.id;
    });
    build(first, count / 2);
    const auto second = static_cast<std::int32_t>(nodes_.size());
    build(first + count / 2, count - count / 2);
    nodes_[here].first = second;
    nodes_[here].count = 0;
}

ClosestPoint Bvh::closest(Vec3f p, float reach) const {
    ClosestPoint out;
    if (nodes_.empty()) return out;
    float best = reach * reach;
    std::int32_t stack[64];  // twice the depth of a balanced tree of 2^31 triangles
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const std::int32_t here = stack[--depth];
        const Node& node = nodes_[static_cast<std::size_t>(here)];
        if (squared_distance(node.bounds, p) > best) continue;
        if (node.count == 0) {
            // The nearer child is pushed last, so it is visited first.
            const std::int32_t left = here + 1, right = node.first;
            const bool left_near =
                squared_distance(nodes_[static_cast<std::size_t>(left)].bounds, p) <
                squared_distance(nodes_[static_cast<std::size_t>(right)].bounds, p);
            stack[depth++] = left_near ? right : left;
            stack[depth++] = left_near ? left : right;
            continue;
        }
        for (std::int32_t k = node.first; k < node.first + node.count; ++k) {
            const Triangle& t = triangles_[static_cast<std::size_t>(k)];
            const Weights w = closest_weights(t.corner[0], t.corner[1], t.corner[2], p);
            const Vec3f q = t.corner[0] * w.a + t.corner[1] * w.b + t.corner[2] * w.c;
            const float squared = dot(p - q, p - q);
            const bool better = squared < best || (squared == best && out.triangle < 0);
            if (!better) continue;
            best = squared;
            const Vec3f n = t.normal[0] * w.a + t.normal[1] * w.b + t.normal[2] * w.c;
            out = {t.id, {w.a, w.b, w.c}, q, unit_or(n, Vec3f{0, 1, 0}), 0};
        }
    }
    if (out.triangle >= 0)
        out.distance = (dot(p - out.point, out.normal) < 0 ? -1.0f : 1.0f) * sqrt(best);
    return out;
}

}  // namespace ringlet
