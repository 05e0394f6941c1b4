// Signed distance to a mesh on a regular grid, as bodies of ColliderShape::mesh are felt: sampled
// trilinearly, value and normal from the same eight samples, by all lane types alike.
#pragma once

#include "math/vec3.h"

namespace ringlet {

template <class F>
struct SurfacePoint {
    F distance;  // m, negative inside
    Vec3<F> normal;
};

// Borrowed samples in the mesh's own frame, x fastest. There are at most 2^24 of them, so that
// their numbers are exact as floats.
struct DistanceGrid {
    const float* samples = nullptr;
    Vec3f low{0, 0, 0};                        // m, place of the first sample
    float cell = 1;                            // m
    float per_cell = 1;                        // 1/m
    float size_x = 2, size_y = 2, size_z = 2;  // samples along each axis, whole numbers
    float inset = 0;  // m, least distance of the surface from the grid's faces
};

// Within the grid the interpolated distance. Beyond it the least there can be: with c the grid's
// point closest to p and s any point of the surface, which is all within the grid's convex box,
// |p - s|^2 >= |p - c|^2 + |c - s|^2 and |p - s| >= |p - c| + inset.
template <class F>
RINGLET_KERNEL SurfacePoint<F> sample_grid(const DistanceGrid& grid, Vec3<F> p) {
    const Vec3<F> q = (p - splat<F>(grid.low)) * F(grid.per_cell);
    // In this order what is not a number becomes 0.
    const auto within = [](F a, float most) { return min(max(a, F(0)), F(most)); };
    const Vec3<F> c = {within(q.x, grid.size_x - 1), within(q.y, grid.size_y - 1),
                       within(q.z, grid.size_z - 1)};
    const auto whole = [](F a, float most) { return to_float(truncate(min(a, F(most)))); };
    const Vec3<F> first = {whole(c.x, grid.size_x - 2), whole(c.y, grid.size_y - 2),
                           whole(c.z, grid.size_z - 2)};
    const Vec3<F> f = c - first;
    const auto index = truncate((first.z * F(grid.size_y) + first.y) * F(grid.size_x) + first.x);
    // Along x on the four edges, then across; differences give the gradient from the same loads.
    const int row = static_cast<int>(grid.size_x);
    const int slice = row * static_cast<int>(grid.size_y);
    const float* edges[4] = {grid.samples, grid.samples + row, grid.samples + slice,
                             grid.samples + slice + row};
    F value[4], slope[4];
    for (int k = 0; k < 4; ++k) {
        const F near = gather(edges[k], index);
        slope[k] = gather(edges[k] + 1, index) - near;
        value[k] = near + slope[k] * f.x;
    }
    const auto across = [&](const F* v) {
        const F lower = v[0] + (v[1] - v[0]) * f.y, upper = v[2] + (v[3] - v[2]) * f.y;
        return lower + (upper - lower) * f.z;
    };
    const F rise_y = (value[1] - value[0]) * (F(1) - f.z) + (value[3] - value[2]) * f.z;
    const F rise_z = (value[2] - value[0]) * (F(1) - f.y) + (value[3] - value[1]) * f.y;
    const F edge = across(value);
    const Vec3<F> normal =
        unit_or(Vec3<F>{across(slope), rise_y, rise_z}, Vec3<F>{F(0), F(1), F(0)});
    const Vec3<F> beyond = (q - c) * F(grid.cell);
    const F out = dot(beyond, beyond);
    const auto is_out = out > F(0);
    if (!any(is_out)) return {edge, normal};
    const F distance = max(sqrt(out + edge * edge), sqrt(out) + F(grid.inset));
    return {select(is_out, distance, edge),
            select(is_out, unit_or(beyond + normal * edge, normal), normal)};
}

}  // namespace ringlet
