// Compiled once per instruction set: CMake sets the names of the functions and the Isa tag of
// their lane type. Nothing here may leave a copy out of line that code for another instruction set
// could be linked to: no containers, no standard library.
#include "collide/grid_tiles.h"

#include "math/wide8.h"
#include "strand/rows.h"

namespace ringlet {

namespace {

typedef float Floats __attribute__((vector_size(16)));
typedef std::int32_t Ints __attribute__((vector_size(16)));
typedef double Two __attribute__((vector_size(16)));
typedef double Four __attribute__((vector_size(32)));
typedef std::int64_t FixedTwo __attribute__((vector_size(16)));
typedef std::int64_t FixedFour __attribute__((vector_size(32)));

// to_fixed of hair_grid_kernel.h, of several numbers at a time.
constexpr double kLarge = kFixedShift;
constexpr std::int64_t kNone = 0x4158000000000000;  // its bits
RINGLET_KERNEL FixedFour to_fixed(Four a) {
    return FixedFour(a + Four{kLarge, kLarge, kLarge, kLarge}) -
           FixedFour{kNone, kNone, kNone, kNone};
}
RINGLET_KERNEL FixedTwo to_fixed(Two a) {
    return FixedTwo(a + Two{kLarge, kLarge}) - FixedTwo{kNone, kNone};
}

template <class To, class From>
RINGLET_KERNEL To load_as(const From* at) {
    To out;
    std::memcpy(&out, at, sizeof out);
    return out;
}

// place_of, first_corner and corner_weights, the axes and then the corners side by side.
struct Place {
    int first;
    Floats t;             // the last is of no use
    Floats lower, upper;  // weights of corners 0 to 3 and 4 to 7
};
RINGLET_KERNEL Place place_in_patch(const GridVertex& vertex, float cells_per_metre) {
    const Floats per_metre = {cells_per_metre, cells_per_metre, cells_per_metre, 0};
    const Floats cells = load_as<Floats>(vertex.x) * per_metre;
    Ints i = __builtin_convertvector(cells, Ints);
    i += __builtin_convertvector(i, Floats) > cells;  // true is -1
    const Floats t = cells - __builtin_convertvector(i, Floats), low = 1.0f - t;
    const Ints node = i & (kTileSide - 1);
    const Floats x = __builtin_shufflevector(low, t, 0, 4, 0, 4);
    const Floats y = __builtin_shufflevector(low, t, 1, 1, 5, 5);
    const Floats flat = x * y;
    return {node[0] + kPatchSide * (node[1] + kPatchSide * node[2]), t, flat * low[2], flat * t[2]};
}

// Of the nodes of a patch. Masses are apart, so that those of two corners beside each other in x
// are added at once.
struct PatchSums {
    FixedFour momentum_volume[kPatchNodes];
    std::int64_t mass[kPatchNodes];
};

RINGLET_KERNEL void add_to_corner(PatchSums& sums, int first, int corner, Four given, Four weight) {
    sums.momentum_volume[first + patch_corner(corner)] += to_fixed(given * weight);
}
// Corners k and k + 1, whose weights are the first two of w.
RINGLET_KERNEL void add_mass(PatchSums& sums, int first, int k, Two w) {
    std::int64_t* const at = sums.mass + first + patch_corner(k);
    const FixedTwo sum = load_as<FixedTwo>(at) + to_fixed(w);
    std::memcpy(at, &sum, sizeof sum);
}
// Corners k to k + 3.
RINGLET_KERNEL void add_to_corners(PatchSums& sums, int first, int k, Four given, Floats weights) {
    const Four w = __builtin_convertvector(weights, Four);
    add_to_corner(sums, first, k, given, __builtin_shufflevector(w, w, 0, 0, 0, 0));
    add_to_corner(sums, first, k + 1, given, __builtin_shufflevector(w, w, 1, 1, 1, 1));
    add_to_corner(sums, first, k + 2, given, __builtin_shufflevector(w, w, 2, 2, 2, 2));
    add_to_corner(sums, first, k + 3, given, __builtin_shufflevector(w, w, 3, 3, 3, 3));
    add_mass(sums, first, k, __builtin_shufflevector(w, w, 0, 1));
    add_mass(sums, first, k + 2, __builtin_shufflevector(w, w, 2, 3));
}

}  // namespace

void RINGLET_FIND_TILES(BlockTiles& out, const float* x, int first, int rows,
                        float cells_per_metre) {
    using F = Wide8<RINGLET_ISA>;
    const auto load_ints = [](const std::int32_t* at) __attribute__((always_inline)) {
        return F::Int(load_as<typename F::Ints>(at));
    };
    F::Int before[3] = {load_ints(out.last[0]), load_ints(out.last[1]), load_ints(out.last[2])};
    for (int i = 0; i < rows; ++i) {
        const Vec3<F> cells = ConstRows3<F>{x}[first + i] * F(cells_per_metre);
        const F axes[3] = {cells.x, cells.y, cells.z};
        const F reach(kGridReach);
        F::Int in_reach(-1), moved(0);
        for (const F& a : axes) in_reach = in_reach && (abs(a) < reach);
        for (int axis = 0; axis < 3; ++axis) {
            const F near = select(in_reach, axes[axis], F(0));
            const F::Int whole = truncate(near);
            const F::Int tile = (whole + F::Int(to_float(whole) > near)) >> kTileBits;  // true: -1
            moved = moved || F::Int(tile.v != before[axis].v);
            before[axis] = tile;
            std::memcpy(out.tile[i][axis], &tile, sizeof tile);
        }
        out.moved[i] = static_cast<std::uint8_t>(lane_bits(moved));
        out.gone[i] = static_cast<std::uint8_t>(lane_bits(!in_reach));
    }
    std::memcpy(out.last, before, sizeof out.last);
}

void RINGLET_SPLAT_TILE(const GridTile& tile, const GridVertex* vertices, float cells_per_metre,
                        NodeSum* sums) {
    PatchSums patch{};
    for (int k = 0; k < tile.vertex_count; ++k) {
        const GridVertex& vertex = vertices[tile.first_vertex + k];
        if (!is_slow_enough({vertex.v[0], vertex.v[1], vertex.v[2]})) continue;
        const Place place = place_in_patch(vertex, cells_per_metre);
        const Four given = __builtin_convertvector(load_as<Floats>(vertex.v), Four);
        add_to_corners(patch, place.first, 0, given, place.lower);
        add_to_corners(patch, place.first, 4, given, place.upper);
    }
    visit_patch(
        tile, [&](int n, std::size_t node) __attribute__((always_inline)) {
            NodeSum& sum = sums[node];
            for (int axis = 0; axis < 3; ++axis)
                sum.momentum[axis] += patch.momentum_volume[n][axis];
            sum.volume += patch.momentum_volume[n][3];
            sum.mass += patch.mass[n];
        });
}

void RINGLET_MIX_TILE(const GridTile& tile, GridVertex* vertices, float cells_per_metre,
                      const MixUniforms& uniforms, const NodeAnswer* answers) {
    using F = Wide8<RINGLET_ISA>;
    alignas(64) NodeAnswer patch[kPatchNodes];
    visit_patch(
        tile, [&](int n, std::size_t node)
                  __attribute__((always_inline)) { patch[n] = answers[node]; });
    for (int n = 0; n < tile.vertex_count; ++n) {
        GridVertex& vertex = vertices[tile.first_vertex + n];
        const Place place = place_in_patch(vertex, cells_per_metre);
        const NodeAnswer* const first = patch + place.first;
        F sum(0);
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k)
            sum = sum + load<F>(first[patch_corner(k)].push) *
                            F(k < 4 ? place.lower[k] : place.upper[k - 4]);
        NodeAnswer taken;
        store(taken.push, sum);
        vertex.density = taken.density;
        const Vec3f before = {vertex.v[0], vertex.v[1], vertex.v[2]};
        if (!is_slow_enough(before)) continue;
        Vec3f after = mixed(before, taken);
        if (taken.pressure > 0) {
            float pressure[8];
            for (int k = 0; k < 8; ++k) pressure[k] = first[patch_corner(k)].pressure;
            after += squeezed_out(uniforms, pressure, {place.t[0], place.t[1], place.t[2]});
        }
        vertex.v[0] = after.x;
        vertex.v[1] = after.y;
        vertex.v[2] = after.z;
    }
}

}  // namespace ringlet
