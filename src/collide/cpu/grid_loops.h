// Defines grid_loops (collide/grid_tiles.h). Only the files that CMake writes from
// grid_loops.cpp.in include this; each is compiled for the instruction set of its lane type. It
// must not instantiate inline functions that code for another instruction set could link to, so it
// uses no containers and no standard library.
#pragma once

#include "collide/grid_tiles.h"
#include "math/wide8.h"
#include "strand/rows.h"

namespace ringlet {

typedef float FourFloats __attribute__((vector_size(16)));
typedef std::int32_t FourInts __attribute__((vector_size(16)));
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

static_assert(sizeof(NodeUpdate) == 8 * sizeof(float));

// The loops over a lane type of eight lanes.
template <class F>
struct GridLoopsOf {
    using Int = typename F::Int;

    // To the nearest whole number, ties to the even one.
    static RINGLET_KERNEL Int nearest_int(F a) {
#if defined(__AVX__)
        return Int(typename F::Ints(_mm256_cvtps_epi32(__m256(a.v))));
#elif defined(__SSE2__)
        __m128 half[2];
        std::memcpy(half, &a.v, sizeof half);
        const __m128i whole[2] = {_mm_cvtps_epi32(half[0]), _mm_cvtps_epi32(half[1])};
        return load_as<Int>(whole);
#else
        Int out;
        for (int k = 0; k < kGridLanes; ++k)
            out.v[k] = static_cast<std::int32_t>(__builtin_lrintf(a.v[k]));
        return out;
#endif
    }

    static RINGLET_KERNEL Int floor_to_int(F a) {
        const Int whole = truncate(a);
        return whole + Int(to_float(whole) > a);  // true is -1
    }
    static RINGLET_KERNEL Int is_on_grid(Vec3<F> x) {
        const F reach(kGridReach);
        return (abs(x.x) < reach) && (abs(x.y) < reach) && (abs(x.z) < reach);
    }
    static RINGLET_KERNEL Int is_slow_enough(Vec3<F> v) {
        const F limit(kGridMaxSpeed);
        return (abs(v.x) < limit) && (abs(v.y) < limit) && (abs(v.z) < limit);
    }

    // Transposes an 8 x 8 matrix of rows.
    static RINGLET_KERNEL void transpose(F a[8]) {
        using V = typename F::Floats;
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

    // The contributions of the vertices of a row: amounts in units per strand, and weights per
    // corner and strand.
    struct RowContribution {
        F amounts[kGridLanes];
        alignas(32) float shares[8][kGridLanes];

        RINGLET_KERNEL RowContribution(const GridUnits& units, Vec3<F> v, F volume, Vec3<F> t)
            : amounts{v.x * F(units.momentum),
                      v.y * F(units.momentum),
                      v.z * F(units.momentum),
                      F(GridUnits::kMass),
                      volume * F(units.volume),
                      F(0),
                      F(0),
                      F(0)} {
            const Int gives = is_slow_enough(v);
            for (int k = 0; k < 5; ++k) amounts[k] = select(gives, amounts[k], F(0));
            transpose(amounts);
            F weights[8];
            corner_weights(t, weights);
            for (int k = 0; k < 8; ++k) store(shares[k], weights[k]);
        }
    };

    // The tiles of the vertices of a row: keys, cache entries, and the lowest corners of their
    // cells in the local tile.
    struct RowTiles {
        alignas(32) std::int32_t entry[kGridLanes];
        alignas(32) std::int32_t first[kGridLanes];
        alignas(32) std::uint64_t key[kGridLanes];

        RINGLET_KERNEL explicit RowTiles(const Int whole[3]) {
            constexpr int kLast = LocalTileCache::kSide - 1;
            Int tile[3], biased[3], node[3];
            for (int axis = 0; axis < 3; ++axis) {
                tile[axis] = whole[axis] >> kTileBits;
                biased[axis] = tile[axis] + Int(kTileBias);
                node[axis] = whole[axis] & Int(kTileSide - 1);
            }
            const auto part = [&](int axis) __attribute__((always_inline)) {
                return (tile[axis] & Int(kLast)) << axis * LocalTileCache::kSideBits;
            };
            store_as(entry, part(0) | part(1) | part(2));
            static_assert(kLocalSide == 5);
            const Int row = node[1] + node[2] + (node[2] << 2);
            store_as(first, node[0] + row + (row << 2));
            // tile_key(), its upper and lower halves; in memory the lower one comes first.
            const Int upper = biased[0] << 10 | biased[1] >> 11,
                      lower = biased[1] << 21 | biased[2];
            store_as(key, __builtin_shufflevector(lower.v, upper.v, 0, 8, 1, 9, 2, 10, 3, 11));
            store_as(key + 4,
                     __builtin_shufflevector(lower.v, upper.v, 4, 12, 5, 13, 6, 14, 7, 15));
        }

        RINGLET_KERNEL bool are_in(const LocalTileCache& cache) const {
            std::uint64_t others = 0;
#pragma GCC unroll 8
            for (int lane = 0; lane < kGridLanes; ++lane)
                others |= cache.keys[entry[lane]] ^ key[lane];
            return others == 0;
        }
    };

    // Adds a vertex to the local tile of its tile, which the cache holds, and stores its node
    // index.
    static RINGLET_KERNEL void scatter_vertex(const RowContribution& giving, const RowTiles& at,
                                              int lane, LocalTileCache& cache,
                                              std::int32_t& place) {
        const int entry = at.entry[lane], first = at.first[lane];
        place = cache.first_nodes[entry] + first;
        if (cache.vertex_counts[entry] == kMaxScattered) cache.flush(cache, entry);
        ++cache.vertex_counts[entry];
        std::int32_t(*const to)[8] = cache.local_sums[entry]->at + first;
        const F amounts = giving.amounts[lane];
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) {
            std::int32_t* const sum = to[local_corner(k)];
            store_as(sum, load_as<Int>(sum) + nearest_int(amounts * F(giving.shares[k][lane])));
        }
    }

    static float fastest(const float* speeds, const float* ends, int rows) {
        F most(0);
        const F end = load<F>(ends);
        for (int i = 0; i < rows; ++i) {
            const Vec3<F> v = ConstRows3<F>{speeds}[i];
            const auto counts = is_slow_enough(v) && (F(static_cast<float>(i)) < end);
            most = max(most, select(counts, largest_part(v), F(0)));
        }
        float out = 0;
        for (int lane = 0; lane < kGridLanes; ++lane) out = max(out, most.v[lane]);
        return out;
    }

    // The hardware prefetcher does not follow this many streams.
    static RINGLET_KERNEL void prefetch_row(const float* rows, int i) {
        const float* const at = rows + row_offset(i, 3);
        __builtin_prefetch(at);
        __builtin_prefetch(at + 2 * kRowWidth);
    }

    static RINGLET_KERNEL void scatter_row(const GridBlock& block, int i, const GridUnits& units,
                                           LocalTileCache& cache) {
        if (i + 1 < block.rows) {
            prefetch_row(block.x, i + 1);
            prefetch_row(block.v, i + 1);
        }
        const Vec3<F> cells = ConstRows3<F>{block.x}[i] * F(block.cells_per_metre);
        const Int is_on = is_on_grid(cells) && (F(static_cast<float>(i)) < load<F>(block.ends));
        const Vec3<F> near = select(is_on, cells, zero_vec3<F>());
        const Int whole[3] = {floor_to_int(near.x), floor_to_int(near.y), floor_to_int(near.z)};
        const RowTiles at(whole);
        const RowContribution giving(units, ConstRows3<F>{block.v}[i],
                                     ConstRows1<F>{block.volume}[i],
                                     {near.x - to_float(whole[0]), near.y - to_float(whole[1]),
                                      near.z - to_float(whole[2])});
        alignas(32) std::int32_t places[kGridLanes];
        if (!any(!is_on) && at.are_in(cache)) {
#pragma GCC unroll 8
            for (int lane = 0; lane < kGridLanes; ++lane)
                scatter_vertex(giving, at, lane, cache, places[lane]);
        } else {
            const unsigned on = static_cast<unsigned>(lane_bits(is_on));
            for (int lane = 0; lane < kGridLanes; ++lane) {
                places[lane] = LocalTileCache::kNoTile;
                if (!(on >> lane & 1)) continue;
                const int entry = at.entry[lane];
                if (cache.keys[entry] != at.key[lane]) cache.fetch(cache, entry, at.key[lane]);
                scatter_vertex(giving, at, lane, cache, places[lane]);
            }
        }
        store_as(block.places + row_offset(i, 1), load_as<Int>(places));
    }

    // Calls body(b, i) for all rows i of all blocks b, row by row.
    template <class Body>
    static RINGLET_KERNEL void for_each_row(const GridBlock* blocks, int count, const Body& body) {
        bool any_left = true;
        for (int i = 0; any_left; ++i) {
            any_left = false;
            for (int b = 0; b < count; ++b) {
                if (i >= blocks[b].rows) continue;
                any_left = true;
                body(b, i);
            }
        }
    }

    static void scatter_vertices(const GridBlock* blocks, int count, const GridUnits& units,
                                 LocalTileCache& cache) {
        for_each_row(
            blocks, count, [&](int b, int i) __attribute__((always_inline)) {
                scatter_row(blocks[b], i, units, cache);
            });
    }

    // Adds the nodes of a local tile that lie in the tile at a corner.
    template <int kCorner>
    static RINGLET_KERNEL void add_corner(const LocalTileSums& local, TileSums& to) {
        constexpr int xs = kCorner & 1 ? 1 : kTileSide, ys = kCorner & 2 ? 1 : kTileSide,
                      zs = kCorner & 4 ? 1 : kTileSide;
        const std::int32_t(*const from)[8] = local.at + local_corner(kCorner) * kTileSide;
        for (int z = 0; z < zs; ++z)
            for (int y = 0; y < ys; ++y)
#pragma GCC unroll 4
                for (int x = 0; x < xs; ++x) {
                    const int at = node_in_tile(x, y, z);
                    std::int64_t* const sum = to.momentum_mass[at];
                    const std::int32_t* const more = from[x + kLocalSide * (y + kLocalSide * z)];
                    store_as(sum, load_as<FixedFour>(sum) +
                                      __builtin_convertvector(load_as<FourInts>(more), FixedFour));
                    to.volume[at] += more[4];
                }
    }

    static void add_local_tile(const LocalTileSums& local, int corner, TileSums& to) {
        static constexpr void (*add[8])(const LocalTileSums&, TileSums&) = {
            add_corner<0>, add_corner<1>, add_corner<2>, add_corner<3>,
            add_corner<4>, add_corner<5>, add_corner<6>, add_corner<7>};
        add[corner](local, to);
    }

    static void measure_density(const TileSums& sums, const GridUnits& units, float* density) {
        for (int n = 0; n < kTileNodes; n += 4) {
            const auto volume =
                __builtin_convertvector(load_as<FixedFour>(sums.volume + n), FourFloats);
            store_as(density + n, volume * units.volume_of_unit());
        }
    }

    // The densities of a tile and one layer of nodes around its faces; edges and corners are not
    // set.
    struct PaddedDensity {
        static constexpr int kSide = kTileSide + 2;
        float at[kSide][kSide][kSide];  // z, y, x

        RINGLET_KERNEL explicit PaddedDensity(const TileNeighbours& tile) {
            static constexpr float kNothing[kTileNodes] = {};
            constexpr int last = kTileSide - 1;
            const auto neighbour = [&](int axis, int up) __attribute__((always_inline)) {
                const float* const density = tile.neighbours[axis][up];
                return density ? density : kNothing;
            };
            const auto copy_row =
                [](const float* from, int y, int z, float* to) __attribute__((always_inline)) {
                store_as(to, load_as<FourFloats>(from + node_in_tile(0, y, z)));
            };
            const float *const left = neighbour(0, 0), *const right = neighbour(0, 1);
            for (int b = 0; b < kTileSide; ++b) {
                for (int a = 0; a < kTileSide; ++a) {
                    at[b + 1][a + 1][0] = left[node_in_tile(last, a, b)];
                    copy_row(tile.density, a, b, &at[b + 1][a + 1][1]);
                    at[b + 1][a + 1][kSide - 1] = right[node_in_tile(0, a, b)];
                    copy_row(neighbour(2, 0), a, last, &at[0][a + 1][1]);
                    copy_row(neighbour(2, 1), a, 0, &at[kSide - 1][a + 1][1]);
                }
                copy_row(neighbour(1, 0), last, b, &at[b + 1][0][1]);
                copy_row(neighbour(1, 1), 0, b, &at[b + 1][kSide - 1][1]);
            }
        }
        // The densities of two rows of four nodes from (0, y, z), at an offset.
        RINGLET_KERNEL F two_rows(int y, int z, int dx, int dy, int dz) const {
            const auto row = [&](int n) __attribute__((always_inline)) {
                return load_as<FourFloats>(&at[z + dz + 1][y + n + dy + 1][dx + 1]);
            };
            return F(__builtin_shufflevector(row(0), row(1), 0, 1, 2, 3, 4, 5, 6, 7));
        }
    };

    // Loads momentum and mass of eight nodes from n on, as floats. Returns false if none has hair.
    static RINGLET_KERNEL bool load_sums(const TileSums& sums, int n, F given[4]) {
        FixedFour found{};
        for (int k = 0; k < 8; ++k) found |= load_as<FixedFour>(sums.momentum_mass[n + k]);
        if (found[3] == 0) return false;
        F nodes[8];
        for (int k = 0; k < 8; ++k) {
            const auto node =
                __builtin_convertvector(load_as<FixedFour>(sums.momentum_mass[n + k]), FourFloats);
            nodes[k] = F(__builtin_shufflevector(node, FourFloats{}, 0, 1, 2, 3, 4, 5, 6, 7));
        }
        transpose(nodes);
        for (int k = 0; k < 4; ++k) given[k] = nodes[k];
        return true;
    }

    static void solve_tile(const TileNeighbours& tile, const CoupleUniforms& uniforms,
                           const GridUnits& units) {
        const PaddedDensity density(tile);
        NodeUpdate nodes[kTileNodes];
        for (int n = 0; n < kTileNodes; n += 8) {
            const int y = n >> kTileBits & (kTileSide - 1), z = n >> 2 * kTileBits;
            F rows[8], given[4];
            // Nodes without hair are cleared: the local tile may hold values of another tile.
            for (F& row : rows) row = F(0);
            if (load_sums(*tile.sums, n, given)) {
                const auto slope = [&](int dx, int dy, int dz) __attribute__((always_inline)) {
                    return F(0.5f) * (density.two_rows(y, z, dx, dy, dz) -
                                      density.two_rows(y, z, -dx, -dy, -dz));
                };
                const F mass = given[3];
                const Update<F> a = solve_node(
                    uniforms, mass, Vec3<F>{given[0], given[1], given[2]} * F(units.speed()),
                    load<F>(tile.density + n),
                    Vec3<F>{slope(1, 0, 0), slope(0, 1, 0), slope(0, 0, 1)});
                const F values[6] = {a.push.x, a.push.y, a.push.z, a.share, a.density, a.pressure};
                for (int k = 0; k < 6; ++k) rows[k] = select(mass > F(0), values[k], F(0));
                transpose(rows);
            }
            for (int k = 0; k < 8; ++k) store_as(&nodes[n + k], rows[k]);
        }
        copy_to_local_tiles(nodes, tile.local_tiles);
    }

    // Interpolates the node updates at the vertices of a row.
    static RINGLET_KERNEL Update<F> gather_updates(const std::int32_t places[kGridLanes], Vec3<F> t,
                                                   const NodeUpdate* local_tiles) {
        alignas(32) F weights[8];
        corner_weights(t, weights);
        alignas(32) float by_lane[8][kGridLanes];
        for (int k = 0; k < 8; ++k) store(by_lane[k], weights[k]);
        F rows[kGridLanes];
        for (int lane = 0; lane < kGridLanes; ++lane) {
            const NodeUpdate* const first = local_tiles + places[lane];
            F weighted[8];
#pragma GCC unroll 8
            for (int k = 0; k < 8; ++k)
                weighted[k] = load<F>(first[local_corner(k)].push) * F(by_lane[k][lane]);
            rows[lane] = sum_of_corners(weighted);
        }
        transpose(rows);
        return {{rows[0], rows[1], rows[2]}, rows[3], rows[4], rows[5]};
    }

    static RINGLET_KERNEL void gather_row(const GridBlock& block, const CoupleUniforms& uniforms,
                                          int i, const NodeUpdate* local_tiles, Rows3<F> speeds,
                                          Rows1<F> density) {
        const Int place = load_as<Int>(block.places + row_offset(i, 1));
        const Int is_on = !Int(place.v < 0);
        if (!any(is_on)) return density.set(i, F(0));
        const Vec3<F> cells =
            select(is_on, ConstRows3<F>{block.x}[i] * F(block.cells_per_metre), zero_vec3<F>());
        const Vec3<F> t = {cells.x - to_float(floor_to_int(cells.x)),
                           cells.y - to_float(floor_to_int(cells.y)),
                           cells.z - to_float(floor_to_int(cells.z))};
        alignas(32) std::int32_t places[kGridLanes];
        store_as(places, select(is_on, place, Int(0)));
        const Update<F> sum = gather_updates(places, t, local_tiles);
        density.set(i, select(is_on, sum.density, F(0)));
        if (i < uniforms.first_free) return;
        const F end = load<F>(block.ends) - F(static_cast<float>(uniforms.held_tips));
        const Vec3<F> v = speeds[i];
        const Int changes = is_on && is_slow_enough(v) && (F(static_cast<float>(i)) < end);
        Vec3<F> after = updated_velocity(v, sum);
        const Int is_pressed = changes && (sum.pressure > F(0));
        if (uniforms.has_pressure() && any(is_pressed)) {
            F pressure[8];
            for (int k = 0; k < 8; ++k) {
                const float* const at = &local_tiles[local_corner(k)].pressure;
                const auto of = [&](int lane) __attribute__((always_inline)) {
                    return at[static_cast<std::ptrdiff_t>(places[lane]) * 8];
                };
                pressure[k] =
                    F(typename F::Floats{of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)});
            }
            after = select(is_pressed, after + pressure_push(uniforms, pressure, t), after);
        }
        speeds.set(i, select(changes, after, v));
    }

    static RINGLET_KERNEL void prefetch_updates(const GridBlock& block, int i,
                                                const NodeUpdate* local_tiles) {
        const Int places = load_as<Int>(block.places + row_offset(i, 1));
        for (int lane = 0; lane < kGridLanes; ++lane)
            for (int k = 0; k < 8; k += 2)
                __builtin_prefetch(local_tiles + (places.v[lane] < 0 ? 0 : places.v[lane]) +
                                   local_corner(k));
    }

    static void gather_vertices(const GridBlock* blocks, int count, const CoupleUniforms& uniforms,
                                const NodeUpdate* local_tiles) {
        for_each_row(
            blocks, count, [&](int b, int i) __attribute__((always_inline)) {
                if (b + 1 < count && i < blocks[b + 1].rows)
                    prefetch_updates(blocks[b + 1], i, local_tiles);
                if (i + 1 < blocks[b].rows) {
                    prefetch_row(blocks[b].x, i + 1);
                    prefetch_row(blocks[b].v, i + 1);
                }
                gather_row(blocks[b], uniforms, i, local_tiles, Rows3<F>{blocks[b].v_after},
                           Rows1<F>{blocks[b].places});
            });
    }
};

template <class F>
GridLoops grid_loops() {
    using Loops = GridLoopsOf<F>;
    return {Loops::fastest,         Loops::scatter_vertices, Loops::add_local_tile,
            Loops::measure_density, Loops::solve_tile,       Loops::gather_vertices};
}

}  // namespace ringlet
