// Hair-hair coupling on a voxel grid (Petrovic et al. 2006): the arithmetic of one vertex and one
// node. hair_grid.cpp drives it on the CPU; a GPU runs the same functions with atomic sums.
//
// Vertices scatter mass, momentum and volume to the eight nodes of their cell with trilinear
// weights, each node solves for a change of velocity, and vertices gather these changes with the
// same weights. Equal weights both ways, and node updates without net momentum, conserve momentum.
//
// Sums are integers: the order of addition does not change the bits.
#pragma once

#include "math/elementary.h"
#include "math/vec3.h"

namespace ringlet {

// Nodes are stored in tiles of 4 x 4 x 4; a tile exists only where there is hair.
inline constexpr int kTileBits = 2, kTileSide = 1 << kTileBits;
inline constexpr int kTileNodes = kTileSide * kTileSide * kTileSide;

// Extent of the grid from the origin, in cells: 5 km for cells of 5 mm.
inline constexpr float kGridReach = 1048576;
// m/s; faster vertices, and those that are not numbers, are left out.
inline constexpr float kGridMaxSpeed = 256;
// Fixed point: the most units that a vertex adds to a node, as many as a float distinguishes.
inline constexpr float kMaxUnits = 8388608;  // 2^23
// The most vertices that may add to a node before a sum of 32 bits overflows.
inline constexpr int kMaxScattered = 255;

// The position of a vertex on the grid.
struct GridPosition {
    int x, y, z;  // node at the lower corner of its cell
    Vec3f t;      // position in the cell, each component in [0, 1)
};

RINGLET_KERNEL int floor_to_int(float a) {
    const int i = truncate(a);
    return i - (to_float(i) > a ? 1 : 0);
}

// False if x (in cells) is too far away or not a number.
RINGLET_KERNEL bool is_on_grid(Vec3f x) {
    return abs(x.x) < kGridReach && abs(x.y) < kGridReach && abs(x.z) < kGridReach;
}
RINGLET_KERNEL GridPosition grid_position(Vec3f x) {
    const int i = floor_to_int(x.x), j = floor_to_int(x.y), k = floor_to_int(x.z);
    return {i, j, k, {x.x - to_float(i), x.y - to_float(j), x.z - to_float(k)}};
}

RINGLET_KERNEL bool is_slow_enough(Vec3f v) {
    return abs(v.x) < kGridMaxSpeed && abs(v.y) < kGridMaxSpeed && abs(v.z) < kGridMaxSpeed;
}

// The key of a tile: its coordinates, 21 bits each.
inline constexpr std::int32_t kTileBias = 1 << 20;
RINGLET_KERNEL std::uint64_t tile_key(int x, int y, int z) {
    const auto biased = [](int a) { return static_cast<std::uint64_t>(a + kTileBias); };
    return biased(x) << 42 | biased(y) << 21 | biased(z);
}
RINGLET_KERNEL std::uint64_t tile_key(const GridPosition& p) {
    return tile_key(p.x >> kTileBits, p.y >> kTileBits, p.z >> kTileBits);
}
// The key of the tile at an offset. Biased coordinates are positive and do not fill their bits, so
// no carry occurs.
RINGLET_KERNEL std::uint64_t moved_key(std::uint64_t key, int x, int y, int z) {
    const auto moved = [](int a, int shift) { return static_cast<std::uint64_t>(a) << shift; };
    return key + moved(x, 42) + moved(y, 21) + moved(z, 0);
}

RINGLET_KERNEL int node_in_tile(int x, int y, int z) {
    constexpr int last = kTileSide - 1;
    return (x & last) | (y & last) << kTileBits | (z & last) << 2 * kTileBits;
}

// A local tile holds all nodes that the vertices of a tile reach: the nodes of the tile and one
// layer of its upper neighbours.
inline constexpr int kLocalSide = kTileSide + 1;
inline constexpr int kLocalNodes = kLocalSide * kLocalSide * kLocalSide;

// Offset of a corner of a cell in the local tile: bit 0 of k steps up in x, bit 1 in y, bit 2 in z.
RINGLET_KERNEL int local_corner(int k) {
    return (k & 1) + (k >> 1 & 1) * kLocalSide + (k >> 2) * kLocalSide * kLocalSide;
}
// The trilinear weights of the corners, in that order. They sum to 1.
template <class F>
RINGLET_KERNEL void corner_weights(Vec3<F> t, F weights[8]) {
    const Vec3<F> low = {F(1) - t.x, F(1) - t.y, F(1) - t.z};
    const F lower[4] = {low.x * low.y, t.x * low.y, low.x * t.y, t.x * t.y};
    for (int k = 0; k < 4; ++k) {
        weights[k] = lower[k] * low.z;
        weights[k + 4] = lower[k] * t.z;
    }
}

// Sums a value over the corners, in an order with short dependency chains.
template <class T>
RINGLET_KERNEL T sum_of_corners(const T at[8]) {
    return ((at[0] + at[1]) + (at[2] + at[3])) + ((at[4] + at[5]) + (at[6] + at[7]));
}

// The sums of a node, in units.
struct NodeSum {
    std::int64_t momentum[3] = {0, 0, 0};
    std::int64_t mass = 0;
    std::int64_t volume = 0;
};

// The power of two that scales the largest amount to between half of kMaxUnits and kMaxUnits.
RINGLET_KERNEL float units_per_amount(float largest) {
    constexpr float least = 8.67361738e-19f;  // 2^-60
    const std::int32_t exponent = bits_of(max(largest, least)) >> 23;
    return from_bits((2 * 127 + 22 - exponent) << 23);
}

// Units per vertex (mass), per vertex m/s (momentum) and per cell (volume), chosen for each
// coupling.
struct GridUnits {
    float momentum, volume;
    static constexpr float kMass = kMaxUnits;

    RINGLET_KERNEL GridUnits(float fastest, float largest_volume)
        : momentum(units_per_amount(fastest)), volume(units_per_amount(largest_volume)) {}
    RINGLET_KERNEL float volume_of_unit() const { return 1 / volume; }
    RINGLET_KERNEL float density(std::int64_t sum) const {
        return static_cast<float>(sum) * volume_of_unit();
    }
    // m/s for one unit of momentum over one unit of mass.
    RINGLET_KERNEL float speed() const { return kMass / momentum; }
};

// The largest component of a velocity, which determines the unit of momentum.
template <class F>
RINGLET_KERNEL F largest_part(Vec3<F> v) {
    return max(max(abs(v.x), abs(v.y)), abs(v.z));
}

// The parameters of one coupling.
struct CoupleUniforms {
    float friction;         // h k: exponent of friction at the groomed density
    float kept;             // fraction of the relative velocity after plain friction
    float repulsion;        // m/s at the groomed density
    float plain_repulsion;  // m/s at any density
    float pressure;         // m/s per difference of 1 in p/k between neighbouring cells
    float most_push;        // m/s, limit of the push by pressure
    int first_free;         // vertices before it are held
    int held_tips;          // number of held vertices at the tip

    RINGLET_KERNEL bool has_pressure() const { return pressure > 0; }
};

// The result of a node: a vertex with velocity v gains push - share v.
struct alignas(32) NodeUpdate {
    float push[3];  // m/s
    float share;
    float density;   // 1 as groomed
    float pressure;  // over its stiffness
    float unused[2];
};

// The same in lanes: for several nodes, or interpolated at several vertices.
template <class F>
struct Update {
    Vec3<F> push;
    F share, density, pressure;

    RINGLET_KERNEL friend Update operator+(const Update& a, const Update& b) {
        return {a.push + b.push, a.share + b.share, a.density + b.density, a.pressure + b.pressure};
    }
};

// Pressure over its stiffness; zero where hair is no denser than groomed.
template <class F>
RINGLET_KERNEL F pressure_of(F density) {
    return max(density - F(1), F(0));
}

// The update of a node from its mass, its momentum (m/s times the unit of mass) and its density,
// which is 1 where hair is as dense as groomed. `denser` is the gradient of the density, per cell.
template <class F>
RINGLET_KERNEL Update<F> solve_node(const CoupleUniforms& u, F mass, Vec3<F> momentum, F density,
                                    Vec3<F> denser) {
    const Vec3<F> mean = momentum * (F(1) / mass);
    const F share = F(1) - F(u.kept) * exp(F(-u.friction) * density);
    // A unit vector that fades to zero where the gradient is too small to have a reliable
    // direction.
    const F slope = max(norm(denser), max(F(0.1f) * density, F(kTiny)));
    const Vec3<F> apart =
        denser * (-(F(u.repulsion) * min(density, F(1)) + F(u.plain_repulsion)) / slope);
    return {mean * share + apart, share, density, pressure_of(density)};
}

// The gradient, per cell, of a quantity given at the corners of a cell.
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

// The change of velocity by pressure: minus the gradient, with respect to the position of the
// vertex, of k/2 sum (density - 1)^2 over the nodes denser than groomed. As it is evaluated at the
// vertex, it also separates hair within one cell, where node differences vanish.
template <class F>
RINGLET_KERNEL Vec3<F> pressure_push(const CoupleUniforms& u, const F pressure[8], Vec3<F> t) {
    const Vec3<F> push = gradient_in_cell(pressure, t) * F(-u.pressure);
    return push * min(F(u.most_push) / max(norm(push), F(kTiny)), F(1));
}

// The velocity of a vertex after the interpolated update.
template <class F>
RINGLET_KERNEL Vec3<F> updated_velocity(Vec3<F> v, const Update<F>& sum) {
    return v - v * sum.share + sum.push;
}

}  // namespace ringlet
