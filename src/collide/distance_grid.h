// Signed distance to a mesh on a regular grid, interpolated trilinearly: value and normal come from
// the same eight samples, with the same bits for all lane types.
#pragma once

#include <cstdint>

#include "math/vec3.h"

namespace ringlet {

template <class F>
struct SurfacePoint {
    F distance;  // m, negative inside
    Vec3<F> normal;
};

// Samples in the mesh's own frame, x fastest; not owned. At most 2^24, so that a float represents
// every index exactly.
struct DistanceGrid {
    const float* samples = nullptr;
    Vec3f low{0, 0, 0};                        // m, position of the first sample
    float cell = 1;                            // m
    float per_cell = 1;                        // 1/m
    float size_x = 2, size_y = 2, size_z = 2;  // samples along each axis, whole numbers
    float inset = 0;  // m, least distance of the surface from the grid's faces
    // Displacement of the nearest surface by deformation (m, three components per sample), and the
    // fraction of it that belongs to this substep. Null: the mesh is rigid.
    const float* moves = nullptr;
    float moves_share = 0;
    // Changes with the samples and displacements; unique in the process. A device uses it to upload
    // them only when they have changed.
    std::uint64_t version = 0;
};

// The cell of a point, or of the point of the grid closest to it.
template <class F>
struct GridCell {
    Vec3<F> closest;  // in cells from the first sample
    Vec3<F> t;        // its position in the cell
    LaneInt<F> index;
    int row, slice;  // index step to the next sample in y and z
};

template <class F>
RINGLET_KERNEL GridCell<F> cell_of(const DistanceGrid& grid, Vec3<F> q) {
    // This order of operands turns NaN into 0.
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

// Inside the grid the interpolated distance, outside a lower bound: with c the point of the grid
// closest to p and s any point of the surface, which lies inside the convex box of the grid,
// |p - s|^2 >= |p - c|^2 + |c - s|^2 and |p - s| >= |p - c| + inset.
template <class F>
RINGLET_KERNEL SurfacePoint<F> sample_grid(const DistanceGrid& grid, Vec3<F> p) {
    const Vec3<F> q = (p - splat<F>(grid.low)) * F(grid.per_cell);
    const GridCell<F> cell = cell_of(grid, q);
    const Vec3<F> c = cell.closest, f = cell.t;
    // Interpolates along x on four edges, then across; differences of the same loads give the
    // gradient.
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

// A lower bound on sample_grid() from a single sample: distances differ by no more than positions,
// so all corners of a cell are within sqrt(3) cells of the first. The margin allows an error of p
// of a hundredth of a cell.
template <class F>
RINGLET_KERNEL F sample_coarsely(const DistanceGrid& grid, Vec3<F> p) {
    const GridCell<F> cell = cell_of(grid, (p - splat<F>(grid.low)) * F(grid.per_cell));
    return gather(grid.samples, cell.index) - F(1.75f * grid.cell);
}

// The displacement of the surface nearest to p in this substep by deformation, without the rigid
// motion.
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
