// Compiled once per instruction set: CMake sets the name of the loops and the Isa tag of their lane
// type. Nothing here may leave a copy out of line that code for another instruction set could be
// linked to: no containers, no standard library.
#include "collide/grid_tiles.h"

#include "math/wide8.h"
#include "strand/rows.h"

namespace ringlet {

namespace {

using F = Wide8<RINGLET_ISA>;
using Int = F::Int;
typedef float FourFloats __attribute__((vector_size(16)));
typedef double Four __attribute__((vector_size(32)));
typedef std::int64_t FixedFour __attribute__((vector_size(32), may_alias));

template <class To, class From>
RINGLET_KERNEL To load_as(const From* at) {
    To out;
    std::memcpy(&out, at, sizeof out);
    return out;
}
template <class From, class To>
RINGLET_KERNEL void store_as(To* at, From a) {
    std::memcpy(at, &a, sizeof a);
}

// GCC 12 takes a conversion of four apart into two, through memory.
RINGLET_KERNEL Four to_doubles(FourFloats a) {
#if defined(__AVX__)
    return Four(_mm256_cvtps_pd(__m128(a)));
#else
    return __builtin_convertvector(a, Four);
#endif
}

// to_fixed of hair_grid_kernel.h, of four numbers at a time.
RINGLET_KERNEL FixedFour to_fixed(Four a) {
    constexpr double large = kFixedShift;
    constexpr std::int64_t none = 0x4158000000000000;  // its bits
    return FixedFour(a + Four{large, large, large, large}) - FixedFour{none, none, none, none};
}

RINGLET_KERNEL Int floor_to_int(F a) {
    const Int whole = truncate(a);
    return whole + Int(to_float(whole) > a);  // true is -1
}
RINGLET_KERNEL Int is_in_reach(Vec3<F> x) {
    const F reach(kGridReach);
    return (abs(x.x) < reach) && (abs(x.y) < reach) && (abs(x.z) < reach);
}
RINGLET_KERNEL Int is_slow_enough(Vec3<F> v) {
    const F fastest(kGridFastest);
    return (abs(v.x) < fastest) && (abs(v.y) < fastest) && (abs(v.z) < fastest);
}

// Eight rows of eight, rows and columns exchanged.
RINGLET_KERNEL void transpose(F a[8]) {
    using V = F::Floats;
    V b[8], c[8];
    for (int k = 0; k < 8; k += 2) {
        b[k] = __builtin_shufflevector(a[k].v, a[k + 1].v, 0, 8, 1, 9, 4, 12, 5, 13);
        b[k + 1] = __builtin_shufflevector(a[k].v, a[k + 1].v, 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int k = 0; k < 8; k += 4)
        for (int n = 0; n < 2; ++n) {
            c[k + 2 * n] =
                __builtin_shufflevector(b[k + n], b[k + 2 + n], 0, 1, 8, 9, 4, 5, 12, 13);
            c[k + 2 * n + 1] =
                __builtin_shufflevector(b[k + n], b[k + 2 + n], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int k = 0; k < 4; ++k) {
        a[k] = V(__builtin_shufflevector(c[k], c[k + 4], 0, 1, 2, 3, 8, 9, 10, 11));
        a[k + 4] = V(__builtin_shufflevector(c[k], c[k + 4], 4, 5, 6, 7, 12, 13, 14, 15));
    }
}

// What the vertices of a row give: amounts by strand, and shares by corner and strand.
struct RowGiving {
    alignas(32) double amounts[kLanes][4];  // velocity and volume
    alignas(32) double shares[8][kLanes];
    alignas(32) std::int64_t masses[8][kLanes];
};

RINGLET_KERNEL void set_giving(RowGiving& out, Vec3<F> v, F volume, Vec3<F> t) {
    using V = F::Floats;
    const auto pair = [](V a, V b, bool high) __attribute__((always_inline)) {
        return high ? __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
                    : __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    };
    for (int high = 0; high < 2; ++high) {
        const V xy = pair(v.x.v, v.y.v, high), zw = pair(v.z.v, volume.v, high);
        const V even = __builtin_shufflevector(xy, zw, 0, 1, 8, 9, 4, 5, 12, 13);
        const V odd = __builtin_shufflevector(xy, zw, 2, 3, 10, 11, 6, 7, 14, 15);
        const int lane = 2 * high;
        store_as(out.amounts[lane], to_doubles(__builtin_shufflevector(even, even, 0, 1, 2, 3)));
        store_as(out.amounts[lane + 1], to_doubles(__builtin_shufflevector(odd, odd, 0, 1, 2, 3)));
        store_as(out.amounts[lane + 4],
                 to_doubles(__builtin_shufflevector(even, even, 4, 5, 6, 7)));
        store_as(out.amounts[lane + 5], to_doubles(__builtin_shufflevector(odd, odd, 4, 5, 6, 7)));
    }
    F weights[8];
    corner_weights(t, weights);
    for (int k = 0; k < 8; ++k) {
        const V w = weights[k].v;
        const Four low = to_doubles(__builtin_shufflevector(w, w, 0, 1, 2, 3));
        const Four high = to_doubles(__builtin_shufflevector(w, w, 4, 5, 6, 7));
        store_as(out.shares[k], low);
        store_as(out.shares[k] + 4, high);
        store_as(out.masses[k], to_fixed(low));
        store_as(out.masses[k] + 4, to_fixed(high));
    }
}

void clear_rows(PatchSums& sums, std::uint32_t rows) {
    for (; rows != 0; rows &= rows - 1) {
        const int first = __builtin_ctz(rows) * kPatchSide;
        std::memset(sums.momentum_volume[first], 0, kPatchSide * sizeof *sums.momentum_volume);
        std::memset(sums.mass + first, 0, kPatchSide * sizeof *sums.mass);
    }
}

RINGLET_KERNEL void give_vertex(const RowGiving& giving, int lane, int row, int first,
                                PatchCache& cache, int sums_at) {
    constexpr std::uint32_t reached = 1 | 1 << 1 | 1 << kPatchSide | 1 << (kPatchSide + 1);
    PatchSums& to = cache.sums[sums_at];
    if (const std::uint32_t fresh = (reached << row) & ~cache.rows[sums_at]; fresh != 0) {
        cache.rows[sums_at] |= fresh;
        clear_rows(to, fresh);
    }
    const Four amount = load_as<Four>(giving.amounts[lane]);
    auto* const sums = reinterpret_cast<FixedFour*>(to.momentum_volume + first);
    std::int64_t* const masses = to.mass + first;
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
        const double w = giving.shares[k][lane];
        sums[patch_corner(k)] += to_fixed(amount * Four{w, w, w, w});
        masses[patch_corner(k)] += giving.masses[k][lane];
    }
}

// In which patches the strands of a block are.
struct LanePatches {
    int entry[kLanes], sums_at[kLanes];
    alignas(32) std::int32_t first_node[kLanes];  // of the patch; -1: not on the grid
    unsigned lost = 0;                            // strands whose entry was given to another tile

    RINGLET_KERNEL void find(PatchCache& cache, int lane, int x, int y, int z, bool is_run) {
        const int e = PatchCache::entry_of(x, y, z);
        const std::uint64_t key = tile_key(x, y, z);
        if (cache.keys[e] != key) {
            for (int other = 0; other < kLanes; ++other)
                lost |= (entry[other] == e ? 1u : 0u) << other;
            cache.fetch(cache, e, key);
        }
        lost &= ~(1u << lane);
        entry[lane] = e;
        sums_at[lane] = cache.sums_at[e];
        first_node[lane] = cache.patches[e] < 0 ? -1 : cache.patches[e] * kPatchNodes;
        cache.run_counts[e] += is_run ? 1 : 0;
    }
};

void give(const GridBlock& block, const float* speeds, const float* volume, PatchCache& cache) {
    LanePatches patches;
    for (int& e : patches.entry) e = -1;
    for (std::int32_t& n : patches.first_node) n = -1;
    const F ends = load<F>(block.ends);
    Int before[3] = {0, 0, 0};
    unsigned was_on = 0;
    RowGiving giving;
    alignas(32) std::int32_t tiles[3][kLanes], rows[kLanes], firsts[kLanes];
    for (int i = 0; i < block.rows; ++i) {
        const Vec3<F> cells = ConstRows3<F>{block.x}[i] * F(block.cells_per_metre);
        const Int is_on = is_in_reach(cells) && (F(static_cast<float>(i)) < ends);
        const Vec3<F> near = select(is_on, cells, zero_vec3<F>());
        const Int whole[3] = {floor_to_int(near.x), floor_to_int(near.y), floor_to_int(near.z)};
        Int moved(0);
        for (int axis = 0; axis < 3; ++axis) {
            const Int tile = whole[axis] >> kTileBits;
            moved = moved || Int(tile.v != before[axis].v);
            before[axis] = tile;
            store_as(tiles[axis], tile);
        }
        static_assert(kPatchSide == 5);
        const auto node = [&](int axis) __attribute__((always_inline)) {
            return whole[axis] & Int(kTileSide - 1);
        };
        const Int row = node(1) + node(2) + (node(2) << 2), first = node(0) + row + (row << 2);
        const unsigned on = static_cast<unsigned>(lane_bits(is_on));
        const unsigned runs = (static_cast<unsigned>(lane_bits(moved)) | ~was_on) & on;
        was_on = on;
        const Vec3<F> v = ConstRows3<F>{speeds}[i];
        const unsigned slow = static_cast<unsigned>(lane_bits(is_slow_enough(v)));
        set_giving(giving, v, ConstRows1<F>{volume}[i],
                   {near.x - to_float(whole[0]), near.y - to_float(whole[1]),
                    near.z - to_float(whole[2])});
        store_as(firsts, first);
        store_as(rows, row);
        for (unsigned left = on; left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            if ((runs | patches.lost) >> lane & 1)
                patches.find(cache, lane, tiles[0][lane], tiles[1][lane], tiles[2][lane],
                             runs >> lane & 1);
            if (slow >> lane & 1)
                give_vertex(giving, lane, rows[lane], firsts[lane], cache, patches.sums_at[lane]);
        }
        const Int nodes = load_as<Int>(patches.first_node);
        store_as(block.places + i * kLanes,
                 select(is_on && !Int(nodes.v < 0), nodes + first, Int(-1)));
    }
}

void add_patch(const PatchSums& patch, std::uint32_t rows, int corner, TileSums& to) {
    const int xs = corner & 1 ? 1 : kTileSide, ys = corner & 2 ? 1 : kTileSide,
              zs = corner & 4 ? 1 : kTileSide;
    for (int z = 0; z < zs; ++z)
        for (int y = 0; y < ys; ++y) {
            const int row = patch_corner(corner) / kPatchSide * kTileSide + y + kPatchSide * z;
            if (!(rows >> row & 1)) continue;
            const int from = row * kPatchSide + (corner & 1) * kTileSide;
            const int at = node_in_tile(0, y, z);
            for (int x = 0; x < xs; ++x) {
                std::int64_t* const sum = to.momentum_volume[at + x];
                store_as(sum, load_as<FixedFour>(sum) +
                                  load_as<FixedFour>(patch.momentum_volume[from + x]));
                to.mass[at + x] += patch.mass[from + x];
            }
        }
}

// Densities of a tile and the nodes around it; those across its edges and corners are not set.
struct Surrounded {
    static constexpr int kSide = kTileSide + 2;
    float at[kSide][kSide][kSide];  // z, y, x

    RINGLET_KERNEL explicit Surrounded(const TileAround& tile) {
        constexpr int last = kTileSide - 1;
        for (int a = 0; a < kTileSide; ++a)
            for (int b = 0; b < kTileSide; ++b) {
                const auto value = [](const float* from, int node) __attribute__((always_inline)) {
                    return from ? from[node] : 0.0f;
                };
                for (int x = 0; x < kTileSide; ++x)
                    at[b + 1][a + 1][x + 1] = tile.density[node_in_tile(x, a, b)];
                at[b + 1][a + 1][0] = value(tile.beside[0][0], node_in_tile(last, a, b));
                at[b + 1][a + 1][kSide - 1] = value(tile.beside[0][1], node_in_tile(0, a, b));
                at[b + 1][0][a + 1] = value(tile.beside[1][0], node_in_tile(a, last, b));
                at[b + 1][kSide - 1][a + 1] = value(tile.beside[1][1], node_in_tile(a, 0, b));
                at[0][b + 1][a + 1] = value(tile.beside[2][0], node_in_tile(a, b, last));
                at[kSide - 1][b + 1][a + 1] = value(tile.beside[2][1], node_in_tile(a, b, 0));
            }
    }
    // Of eight nodes, two rows of four, from (0, y, z) moved on by that many nodes.
    RINGLET_KERNEL F two_rows(int y, int z, int dx, int dy, int dz) const {
        const auto row = [&](int n) __attribute__((always_inline)) {
            return load_as<FourFloats>(&at[z + dz + 1][y + n + dy + 1][dx + 1]);
        };
        return F(__builtin_shufflevector(row(0), row(1), 0, 1, 2, 3, 4, 5, 6, 7));
    }
};

void answer(const TileAround& tile, const MixUniforms& uniforms) {
    const Surrounded density(tile);
    NodeAnswer nodes[kTileNodes];
    for (int n = 0; n < kTileNodes; n += 8) {
        const int y = n >> kTileBits & (kTileSide - 1), z = n >> 2 * kTileBits;
        F rows[8];
        float given[4][8];
        for (int k = 0; k < 8; ++k) {
            given[3][k] = static_cast<float>(tile.sums->mass[n + k]);
            for (int axis = 0; axis < 3; ++axis)
                given[axis][k] = static_cast<float>(tile.sums->momentum_volume[n + k][axis]);
        }
        const F mass = load<F>(given[3]);
        const Int has_hair = mass > F(0);
        // No vertex will ask, but the patch had other nodes before.
        for (F& row : rows) row = F(0);
        if (any(has_hair)) {
            const auto slope = [&](int dx, int dy, int dz) __attribute__((always_inline)) {
                return F(0.5f) *
                       (density.two_rows(y, z, dx, dy, dz) - density.two_rows(y, z, -dx, -dy, -dz));
            };
            const Answer<F> a = answer_of(
                uniforms, mass, Vec3<F>{load<F>(given[0]), load<F>(given[1]), load<F>(given[2])},
                load<F>(tile.density + n), Vec3<F>{slope(1, 0, 0), slope(0, 1, 0), slope(0, 0, 1)});
            const F values[6] = {a.push.x, a.push.y, a.push.z, a.share, a.density, a.pressure};
            for (int k = 0; k < 6; ++k) rows[k] = select(has_hair, values[k], F(0));
            transpose(rows);
        }
        for (int k = 0; k < 8; ++k) store_as(&nodes[n + k], rows[k]);
    }
    publish(nodes, tile.below);
}

// The answers around the vertices of a row, by the weights of their corners.
RINGLET_KERNEL Answer<F> taken(const std::int32_t places[kLanes], Vec3<F> t,
                               const NodeAnswer* patches) {
    alignas(32) F weights[8];
    corner_weights(t, weights);
    alignas(32) float by_lane[8][kLanes];
    for (int k = 0; k < 8; ++k) store(by_lane[k], weights[k]);
    F rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
        const NodeAnswer* const first = patches + places[lane];
        F sum(0);
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k)
            sum = sum + load<F>(first[patch_corner(k)].push) * F(by_lane[k][lane]);
        rows[lane] = sum;
    }
    transpose(rows);
    return {{rows[0], rows[1], rows[2]}, rows[3], rows[4], rows[5]};
}

RINGLET_KERNEL void take_row(const GridBlock& block, const MixUniforms& uniforms, int i,
                             const NodeAnswer* patches, Rows3<F> speeds, Rows1<F> density) {
    const Int place = load_as<Int>(block.places + i * kLanes);
    const Int is_on = !Int(place.v < 0);
    if (!any(is_on)) return density.set(i, F(0));
    const Vec3<F> cells =
        select(is_on, ConstRows3<F>{block.x}[i] * F(block.cells_per_metre), zero_vec3<F>());
    const Vec3<F> t = {cells.x - to_float(floor_to_int(cells.x)),
                       cells.y - to_float(floor_to_int(cells.y)),
                       cells.z - to_float(floor_to_int(cells.z))};
    alignas(32) std::int32_t places[kLanes];
    store_as(places, select(is_on, place, Int(0)));
    const Answer<F> sum = taken(places, t, patches);
    density.set(i, select(is_on, sum.density, F(0)));
    if (i < uniforms.first_free) return;
    const F end = load<F>(block.ends) - F(static_cast<float>(uniforms.held_tips));
    const Vec3<F> v = speeds[i];
    const Int changes = is_on && is_slow_enough(v) && (F(static_cast<float>(i)) < end);
    Vec3<F> after = mixed(v, sum);
    const Int squeezed = changes && (sum.pressure > F(0));
    if (any(squeezed)) {
        F pressure[8];
        for (int k = 0; k < 8; ++k) {
            const float* const at = &patches[patch_corner(k)].pressure;
            const auto of = [&](int lane) __attribute__((always_inline)) {
                return at[static_cast<std::ptrdiff_t>(places[lane]) * 8];
            };
            pressure[k] = F(F::Floats{of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)});
        }
        after = select(squeezed, after + squeezed_out(uniforms, pressure, t), after);
    }
    speeds.set(i, select(changes, after, v));
}
static_assert(sizeof(NodeAnswer) == 8 * sizeof(float));

// Rows from the one worked on to the one whose answers are asked for.
constexpr int kAhead = 2;
RINGLET_KERNEL void prefetch(const std::int32_t places[kLanes], const NodeAnswer* patches) {
    for (int lane = 0; lane < kLanes; ++lane)
        for (int k = 0; k < 8; k += 2)
            __builtin_prefetch(patches + (places[lane] < 0 ? 0 : places[lane]) + patch_corner(k));
}

void take(const GridBlock& block, const MixUniforms& uniforms, const NodeAnswer* patches, float* v,
          float* density) {
    for (int i = 0; i < block.rows; ++i) {
        if (i + kAhead < block.rows) prefetch(block.places + (i + kAhead) * kLanes, patches);
        take_row(block, uniforms, i, patches, Rows3<F>{v}, Rows1<F>{density});
    }
}

}  // namespace

const GridLoops RINGLET_GRID_LOOPS = {give, add_patch, answer, take};

}  // namespace ringlet
