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
    // m, three per sample: where the surface nearest to it went by itself lately, and how much of
    // that falls into this substep. Null: it keeps its shape.
    const float* moves = nullptr;
    float moves_share = 0;
};

// Where a point is on the grid, or the grid's point closest to it.
template <class F>
struct GridCell {
    Vec3<F> closest;  // in cells from the first sample
    Vec3<F> t;        // of it in its cell
    LaneInt<F> index;
    int row, slice;  // from a sample to the next one in y and z
};

template <class F>
RINGLET_KERNEL GridCell<F> cell_of(const DistanceGrid& grid, Vec3<F> q) {
    // In this order what is not a number becomes 0.
    const auto within = [](F a, float most) { return min(max(a, F(0)), F(most)); };
    const Vec3<F> c = {within(q.x, grid.size_x - 1), within(q.y, grid.size_y - 1),
                       within(q.z, grid.size_z - 1)};
    const auto whole = [](F a, float most) { return to_float(truncate(min(a, F(most)))); };
    const Vec3<F> first = {whole(c.x, grid.size_x - 2), whole(c.y, grid.size_y - 2),
                           whole(c.z, grid.size_z - 2)};
    const int row = static_cast<int>(grid.size_x);
    return {c, c - first, truncate((first.z * F(grid.size_y) + first.y) * F(grid.size_x) + first.x),
            row, row * static_cast<int>(grid.size_y)};
}

// Within the grid the interpolated distance. Beyond it the least there can be: with c the grid's
// point closest to p and s any point of the surface, which is all within the grid's convex box,
// |p - s|^2 >= |p - c|^2 + |c - s|^2 and |p - s| >= |p - c| + inset.
template <class F>
RINGLET_KERNEL SurfacePoint<F> sample_grid(const DistanceGrid& grid, Vec3<F> p) {
    const Vec3<F> q = (p - splat<F>(grid.low)) * F(grid.per_cell);
    const GridCell<F> cell = cell_of(grid, q);
    const Vec3<F> c = cell.closest, f = cell.t;
    // Along x on the four edges, then across; differences give the gradient from the same loads.
    const float* edges[4] = {grid.samples, grid.samples + cell.row, grid.samples + cell.slice,
                             grid.samples + cell.slice + cell.row};
    F value[4], slope[4];
    for (int k = 0; k < 4; ++k) {
        const F near = gather(edges[k], cell.index);
        slope[k] = gather(edges[k] + 1, cell.index) - near;
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

// Less than sample_grid gives, from a single sample: distances differ by no more than places do, so
// all corners of a cell are that close to its first. There is room for p to be off by a hundredth
// of a cell.
template <class F>
RINGLET_KERNEL F sample_coarsely(const DistanceGrid& grid, Vec3<F> p) {
    const GridCell<F> cell = cell_of(grid, (p - splat<F>(grid.low)) * F(grid.per_cell));
    return gather(grid.samples, cell.index) - F(1.75f * grid.cell);
}

// What the surface nearest to p moves by in this substep beside the body's rigid motion.
template <class F>
RINGLET_KERNEL Vec3<F> sample_moves(const DistanceGrid& grid, Vec3<F> p) {
    const GridCell<F> cell = cell_of(grid, (p - splat<F>(grid.low)) * F(grid.per_cell));
    const LaneInt<F> index = cell.index + cell.index + cell.index;
    Vec3<F> out = zero_vec3<F>();
    for (int k = 0; k < 8; ++k) {
        const bool x = k & 1, y = k & 2, z = k & 4;
        const float* at =
            grid.moves + 3 * ((x ? 1 : 0) + (y ? cell.row : 0) + (z ? cell.slice : 0));
        const F weight = (x ? cell.t.x : F(1) - cell.t.x) * (y ? cell.t.y : F(1) - cell.t.y) *
                         (z ? cell.t.z : F(1) - cell.t.z);
        out += Vec3<F>{gather(at, index), gather(at + 1, index), gather(at + 2, index)} * weight;
    }
    return out * F(grid.moves_share);
}

}  // namespace ringlet
