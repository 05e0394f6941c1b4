// Hair against hair on a voxel grid (Petrovic et al. 2006): what one vertex and one node do. The
// driver is hair_grid.cpp; a GPU runs the same functions, with atomic additions for its sums.
//
// Vertices give mass, momentum and volume to the eight nodes around them by trilinear weights,
// nodes answer with a change of velocity, vertices take the answers by the same weights. Because
// giving and taking weigh alike and what a node hands out is in balance with what it was given,
// momentum is kept.
//
// Sums are integers: adding them in any order gives the same bits.
#pragma once

#include "math/elementary.h"
#include "math/vec3.h"

namespace ringlet {

// Nodes come in tiles of 4 x 4 x 4; a tile exists where hair is.
inline constexpr int kTileBits = 2, kTileSide = 1 << kTileBits;
inline constexpr int kTileNodes = kTileSide * kTileSide * kTileSide;

// Cells from the origin within which hair is on the grid: 5 km for cells of 5 mm.
inline constexpr float kGridReach = 1048576;
// m/s; a vertex faster than this, or without a number, takes no part.
inline constexpr float kGridFastest = 256;
// Fixed point: what a vertex gives of anything to a node is at most this many units, as many as a
// float tells apart.
inline constexpr float kMostUnits = 8388608;  // 2^23
// As many vertices may give to a node before a sum of 32 bits is full.
inline constexpr int kMostGifts = 255;

// Where a vertex is on the grid.
struct GridPlace {
    int x, y, z;  // node at the lower corner of its cell
    Vec3f t;      // place in the cell, each in [0, 1)
};

RINGLET_KERNEL int floor_to_int(float a) {
    const int i = truncate(a);
    return i - (to_float(i) > a ? 1 : 0);
}

// False where x, in cells, is too far away or not a number.
RINGLET_KERNEL bool is_in_reach(Vec3f x) {
    return abs(x.x) < kGridReach && abs(x.y) < kGridReach && abs(x.z) < kGridReach;
}
RINGLET_KERNEL GridPlace place_of(Vec3f x) {
    const int i = floor_to_int(x.x), j = floor_to_int(x.y), k = floor_to_int(x.z);
    return {i, j, k, {x.x - to_float(i), x.y - to_float(j), x.z - to_float(k)}};
}

RINGLET_KERNEL bool is_slow_enough(Vec3f v) {
    return abs(v.x) < kGridFastest && abs(v.y) < kGridFastest && abs(v.z) < kGridFastest;
}

// A tile's name: its coordinates, 21 bits each.
inline constexpr std::int32_t kTileBias = 1 << 20;
RINGLET_KERNEL std::uint64_t tile_key(int x, int y, int z) {
    const auto biased = [](int a) { return static_cast<std::uint64_t>(a + kTileBias); };
    return biased(x) << 42 | biased(y) << 21 | biased(z);
}
RINGLET_KERNEL std::uint64_t tile_key(const GridPlace& p) {
    return tile_key(p.x >> kTileBits, p.y >> kTileBits, p.z >> kTileBits);
}
// The tile that many tiles on: coordinates are positive there, and far from filling their bits.
RINGLET_KERNEL std::uint64_t moved_key(std::uint64_t key, int x, int y, int z) {
    const auto moved = [](int a, int shift) { return static_cast<std::uint64_t>(a) << shift; };
    return key + moved(x, 42) + moved(y, 21) + moved(z, 0);
}

RINGLET_KERNEL int node_in_tile(int x, int y, int z) {
    constexpr int last = kTileSide - 1;
    return (x & last) | (y & last) << kTileBits | (z & last) << 2 * kTileBits;
}

// A patch is what the vertices of a tile reach: its nodes and one layer of those above it.
inline constexpr int kPatchSide = kTileSide + 1;
inline constexpr int kPatchNodes = kPatchSide * kPatchSide * kPatchSide;

// The corners of a cell in the patch: bit 0 of k goes up in x, bit 1 in y, bit 2 in z.
RINGLET_KERNEL int patch_corner(int k) {
    return (k & 1) + (k >> 1 & 1) * kPatchSide + (k >> 2) * kPatchSide * kPatchSide;
}
// Of these corners in turn; they sum to 1.
template <class F>
RINGLET_KERNEL void corner_weights(Vec3<F> t, F weights[8]) {
    const Vec3<F> low = {F(1) - t.x, F(1) - t.y, F(1) - t.z};
    const F lower[4] = {low.x * low.y, t.x * low.y, low.x * t.y, t.x * t.y};
    for (int k = 0; k < 4; ++k) {
        weights[k] = lower[k] * low.z;
        weights[k + 4] = lower[k] * t.z;
    }
}

// Of something at each of these corners, in an order that waits for little.
template <class T>
RINGLET_KERNEL T sum_of_corners(const T at[8]) {
    return ((at[0] + at[1]) + (at[2] + at[3])) + ((at[4] + at[5]) + (at[6] + at[7]));
}

// What the vertices around gave to a node, in units.
struct NodeSum {
    std::int64_t momentum[3] = {0, 0, 0};
    std::int64_t mass = 0;
    std::int64_t volume = 0;
};

// The power of two that makes kMostUnits, or half of it, of the largest amount.
RINGLET_KERNEL float units_per_amount(float largest) {
    constexpr float least = 8.67361738e-19f;  // 2^-60
    const std::int32_t exponent = bits_of(max(largest, least)) >> 23;
    return from_bits((2 * 127 + 22 - exponent) << 23);
}

// Units in a vertex (mass), a vertex m/s (momentum) and a cell (volume) of this mixing.
struct GridUnits {
    float momentum, volume;
    static constexpr float kMass = kMostUnits;

    RINGLET_KERNEL GridUnits(float fastest, float largest_volume)
        : momentum(units_per_amount(fastest)), volume(units_per_amount(largest_volume)) {}
    RINGLET_KERNEL float volume_of_unit() const { return 1 / volume; }
    RINGLET_KERNEL float density(std::int64_t sum) const {
        return static_cast<float>(sum) * volume_of_unit();
    }
    // m/s, of momentum over mass that are both in units.
    RINGLET_KERNEL float speed() const { return kMass / momentum; }
};

// Of a velocity that takes part: how large the units must be for it.
template <class F>
RINGLET_KERNEL F largest_part(Vec3<F> v) {
    return max(max(abs(v.x), abs(v.y)), abs(v.z));
}

// One mixing: everything that is the same for all of it.
struct CoupleUniforms {
    float friction;         // h k: exponent of the friction at the groomed density
    float kept;             // share of the relative velocity that plain friction leaves
    float repulsion;        // m/s at the groomed density
    float plain_repulsion;  // m/s at any density
    float pressure;         // m/s for a difference of 1 in p/k from cell to cell
    float most_push;        // m/s, of the pressure
    int first_free;         // vertices before it are held
    int held_tips;          // vertices at the end of a strand that are

    RINGLET_KERNEL bool has_pressure() const { return pressure > 0; }
};

// A node's answer: a vertex with velocity v gains push - share v.
struct alignas(32) NodeAnswer {
    float push[3];  // m/s
    float share;
    float density;   // 1 as groomed
    float pressure;  // over its stiffness
    float unused[2];
};

// The same by lanes: of several nodes, or weighted and summed at several vertices.
template <class F>
struct Answer {
    Vec3<F> push;
    F share, density, pressure;

    RINGLET_KERNEL friend Answer operator+(const Answer& a, const Answer& b) {
        return {a.push + b.push, a.share + b.share, a.density + b.density, a.pressure + b.pressure};
    }
};

// Over its stiffness: there is none where hair is no denser than groomed.
template <class F>
RINGLET_KERNEL F pressure_of(F density) {
    return max(density - F(1), F(0));
}

// From what a node was given, momentum over mass in m/s, and its density: the volume of hair in its
// cell as groomed hair would fill it. The gradient of the density points to where there is more,
// per cell.
template <class F>
RINGLET_KERNEL Answer<F> answer_of(const CoupleUniforms& u, F mass, Vec3<F> momentum, F density,
                                   Vec3<F> denser) {
    const Vec3<F> mean = momentum * (F(1) / mass);
    const F share = F(1) - F(u.kept) * exp(F(-u.friction) * density);
    // A unit vector, but fading out where the density changes so little that its direction is
    // chance.
    const F slope = max(norm(denser), max(F(0.1f) * density, F(kTiny)));
    const Vec3<F> apart =
        denser * (-(F(u.repulsion) * min(density, F(1)) + F(u.plain_repulsion)) / slope);
    return {mean * share + apart, share, density, pressure_of(density)};
}

// The gradient of a quantity given at the corners of a cell, per cell.
template <class F>
RINGLET_KERNEL Vec3<F> gradient_in_cell(const F at[8], Vec3<F> t) {
    const Vec3<F> low = {F(1) - t.x, F(1) - t.y, F(1) - t.z};
    const auto mean = [](F a, F b, F c, F d, F s0, F s1, F r0, F r1) {
        return (a * s0 + b * s1) * r0 + (c * s0 + d * s1) * r1;
    };
    return {
        mean(at[1] - at[0], at[3] - at[2], at[5] - at[4], at[7] - at[6], low.y, t.y, low.z, t.z),
        mean(at[2] - at[0], at[3] - at[1], at[6] - at[4], at[7] - at[5], low.x, t.x, low.z, t.z),
        mean(at[4] - at[0], at[5] - at[1], at[6] - at[2], at[7] - at[3], low.x, t.x, low.y, t.y)};
}

// What the pressure does to a vertex: minus the gradient, by its place, of k/2 sum (density - 1)^2
// over the nodes that hold more than groomed. Being the gradient of an energy at the vertex itself
// it also parts hair that lies within one cell, where differences from node to node see nothing.
template <class F>
RINGLET_KERNEL Vec3<F> squeezed_out(const CoupleUniforms& u, const F pressure[8], Vec3<F> t) {
    const Vec3<F> push = gradient_in_cell(pressure, t) * F(-u.pressure);
    return push * min(F(u.most_push) / max(norm(push), F(kTiny)), F(1));
}

// The velocity of a vertex after taking the answers around it, weighted and summed.
template <class F>
RINGLET_KERNEL Vec3<F> mixed(Vec3<F> v, const Answer<F>& sum) {
    return v - v * sum.share + sum.push;
}

}  // namespace ringlet
