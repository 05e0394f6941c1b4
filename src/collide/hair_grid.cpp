#include "collide/hair_grid.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "math/wide8.h"
#include "strand/rows.h"

namespace ringlet {

namespace {

constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

// Tiles of one colour, the parity of their coordinates, are at least two apart in some direction;
// a vertex reaches one tile up, so they share no node and can be summed at the same time without
// atomic additions.
int colour_of(std::uint64_t key) {
    return static_cast<int>((key >> 42 & 1) | (key >> 21 & 1) << 1 | (key & 1) << 2);
}

std::int32_t add_relaxed(std::int32_t& to, std::int32_t a) {
    return std::atomic_ref(to).fetch_add(a, std::memory_order_relaxed);
}

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

// to_fixed of two numbers at a time, and their sums.
typedef double Pair __attribute__((vector_size(16)));
typedef std::int64_t FixedPair __attribute__((vector_size(16)));
Pair pair_of(float a, float b) { return Pair{static_cast<double>(a), static_cast<double>(b)}; }
FixedPair to_fixed(Pair a) {
    constexpr double large = kFixedShift;
    constexpr std::int64_t none = std::bit_cast<std::int64_t>(large);
    return std::bit_cast<FixedPair>(a + Pair{large, large}) - FixedPair{none, none};
}

std::size_t node_index(std::int32_t tile, int node) { return at(tile * kTileNodes + node); }

}  // namespace

HairGrid::HairGrid(const Channel<3>& x, float cell, const TaskPool& pool)
    : cells_per_metre_(1 / cell) {
    const StrandLayout& layout = x.layout();
    const auto vertices = static_cast<std::size_t>(layout.vertex_total());
    // Hair with fewer than eight vertices to a tile of 64 cells is hardly in contact.
    const std::size_t most = vertices / 8 + 1024;
    const std::size_t padded = at(layout.row_count()) * kLanes;
    hash_.assign(std::bit_ceil((vertices + most) * 3 / 2), {kNoKey, 0, -1});
    touched_.resize(vertices + most);
    runs_.resize(padded);
    sorted_.resize(padded);
    block_runs_.resize(at(layout.block_count()));

    // As many tiles as the hair fills now, and twice as many again.
    set_tile_limit(most);
    place(x, pool);
    const std::size_t wanted = std::min(at(tile_count_) * 3 + 512, most);
    clear();
    set_tile_limit(wanted);
    sums_.resize(wanted * kTileNodes);
    answers_.resize(wanted * kTileNodes);
}

void HairGrid::set_tile_limit(std::size_t limit) {
    for (std::vector<std::int32_t>* list : {&next_run_, &by_colour_}) {
        list->resize(limit);
        list->shrink_to_fit();
    }
    tiles_.resize(limit);
    tiles_.shrink_to_fit();
}

std::size_t HairGrid::byte_count() const {
    const auto bytes = [](const auto& list) { return list.capacity() * sizeof(*list.data()); };
    return bytes(hash_) + bytes(touched_) + bytes(runs_) + bytes(sorted_) + bytes(block_runs_) +
           bytes(tiles_) + bytes(next_run_) + bytes(by_colour_) + bytes(sums_) + bytes(answers_);
}

// The slot of a key, or of the empty entry where it would be.
int HairGrid::find(std::uint64_t key) const {
    const std::size_t mask = hash_.size() - 1;
    std::size_t slot = (key * 0x9e3779b97f4a7c15ull >> 32) & mask;
    while (hash_[slot].key != key && hash_[slot].key != kNoKey) slot = (slot + 1) & mask;
    return static_cast<int>(slot);
}

// Safe to call from several threads; there is always room.
int HairGrid::insert(std::uint64_t key) {
    const std::size_t mask = hash_.size() - 1;
    std::size_t slot = (key * 0x9e3779b97f4a7c15ull >> 32) & mask;
    for (;; slot = (slot + 1) & mask) {
        std::atomic_ref<std::uint64_t> here(hash_[slot].key);
        std::uint64_t found = here.load(std::memory_order_relaxed);
        if (found == kNoKey) {
            if (here.compare_exchange_strong(found, key, std::memory_order_relaxed)) {
                touched_[at(add_relaxed(touched_count_, 1))] = static_cast<std::int32_t>(slot);
                return static_cast<int>(slot);
            }
        }
        if (found == key) return static_cast<int>(slot);
    }
}

void HairGrid::clear() {
    for (std::int32_t k = 0; k < touched_count_; ++k) hash_[at(touched_[at(k)])] = {kNoKey, 0, -1};
    touched_count_ = 0;
    tile_count_ = 0;
    colour_first_ = {};
}

void HairGrid::place(const Channel<3>& x, const TaskPool& pool) {
    clear();
    pool.for_each(x.layout().block_count(), [&](int b) { find_runs(x, b); });
    choose_tiles();
    sort_runs(x.layout(), pool);
}

void HairGrid::find_runs(const Channel<3>& x, int block) {
    const StrandLayout& layout = x.layout();
    Run* runs = runs_.data() + layout.first_row(block) * kLanes;
    std::int32_t count = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        const int strand = layout.strand_at(block, lane);
        if (strand < 0) continue;
        const ConstRows3<float> row{x.block(block) + lane};
        std::uint64_t last = kNoKey;
        for (int i = 0; i < layout.vertex_count(strand); ++i) {
            const Vec3f cells = row[i] * cells_per_metre_;
            const std::uint64_t key = is_in_reach(cells) ? tile_key(place_of(cells)) : kNoKey;
            if (key != last && key != kNoKey) {
                const int slot = insert(key);
                add_relaxed(hash_[at(slot)].run_count, 1);
                runs[count++] = {slot, block * kLanes + lane, static_cast<std::uint16_t>(i), 0};
            }
            if (key != kNoKey) ++runs[count - 1].count;
            last = key;
        }
    }
    block_runs_[at(block)] = count;
}

// In an order that does not depend on who came first: by place, so that neighbours are near in
// memory; where not all may fit, those with the most runs first.
void HairGrid::order_touched() {
    const auto by_key = [&](std::int32_t a, std::int32_t b) {
        return hash_[at(a)].key < hash_[at(b)].key;
    };
    const auto by_run_count = [&](std::int32_t a, std::int32_t b) {
        const std::int32_t na = hash_[at(a)].run_count, nb = hash_[at(b)].run_count;
        return na != nb ? na > nb : by_key(a, b);
    };
    const auto end = touched_.begin() + touched_count_;
    if (at(touched_count_) * 8 <= tiles_.size())
        std::sort(touched_.begin(), end, by_key);
    else
        std::sort(touched_.begin(), end, by_run_count);
}

// The tile of a slot, made where there is none yet; -1 where there is no room.
int HairGrid::tile_of(int slot) {
    HashEntry& entry = hash_[at(slot)];
    if (entry.tile < 0 && at(tile_count_) < tiles_.size()) {
        entry.tile = tile_count_++;
        tiles_[at(entry.tile)] = {entry.key, 0, 0, {}};
    }
    return entry.tile;
}

// Every tile with vertices needs those above it, which its vertices reach.
void HairGrid::choose_tiles() {
    order_touched();
    const std::int32_t with_runs = touched_count_;
    std::int32_t run_total = 0;
    for (std::int32_t k = 0; k < with_runs; ++k) {
        const std::int32_t slot = touched_[at(k)];
        std::array<std::int32_t, 8> above;
        bool fits = true;
        for (int c = 0; c < 8 && fits; ++c) {
            // A key without a tile is not kept: the hash has room for as many as there are tiles.
            const std::uint64_t key = moved_key(hash_[at(slot)].key, c & 1, c >> 1 & 1, c >> 2);
            const int found = find(key);
            fits = hash_[at(found)].tile >= 0 || at(tile_count_) < tiles_.size();
            if (fits) above[at(c)] = tile_of(insert(key));
        }
        if (!fits) continue;
        Tile& tile = tiles_[at(above[0])];
        std::copy(above.begin(), above.end(), tile.above);
        tile.first_run = run_total;
        tile.run_count = hash_[at(slot)].run_count;
        run_total += tile.run_count;
        next_run_[at(above[0])] = tile.first_run;
    }
}

void HairGrid::sort_runs(const StrandLayout& layout, const TaskPool& pool) {
    pool.for_each(layout.block_count(), [&](int b) {
        const Run* runs = runs_.data() + layout.first_row(b) * kLanes;
        for (std::int32_t k = 0; k < block_runs_[at(b)]; ++k) {
            const std::int32_t tile = hash_[at(runs[k].slot)].tile;
            if (tile < 0 || tiles_[at(tile)].run_count == 0) continue;
            sorted_[at(add_relaxed(next_run_[at(tile)], 1))] = runs[k];
        }
    });
    std::array<std::int32_t, 8> next{};
    for (int t = 0; t < tile_count_; ++t)
        if (tiles_[at(t)].run_count > 0) ++colour_first_[at(colour_of(tiles_[at(t)].key) + 1)];
    for (std::size_t c = 0; c < 8; ++c) {
        next[c] = colour_first_[c];
        colour_first_[c + 1] += colour_first_[c];
    }
    for (int t = 0; t < tile_count_; ++t)
        if (tiles_[at(t)].run_count > 0)
            by_colour_[at(next[at(colour_of(tiles_[at(t)].key))]++)] = t;
}

// Calls visit(run, vertex, place) for every vertex in the tile.
template <class Visit>
void HairGrid::visit_vertices(const Tile& tile, const Channel<3>& x, const Visit& visit) const {
    for (std::int32_t k = 0; k < tile.run_count; ++k) {
        const Run run = sorted_[at(tile.first_run + k)];
        const ConstRows3<float> row{x.block(run.block()) + run.lane()};
        for (int i = run.first; i < run.first + run.count; ++i)
            visit(run, i, place_of(row[i] * cells_per_metre_));
    }
}

// Calls visit(node in the patch of the tile, node of the grid).
template <class Visit>
void HairGrid::visit_patch(const Tile& tile, const Visit& visit) {
    int n = 0;
    for (int z = 0; z < kPatchSide; ++z)
        for (int y = 0; y < kPatchSide; ++y)
            for (int x = 0; x < kPatchSide; ++x, ++n) {
                const int above = x >> kTileBits | (y >> kTileBits) << 1 | (z >> kTileBits) << 2;
                visit(n, node_index(tile.above[above], node_in_tile(x, y, z)));
            }
}

void HairGrid::splat(const Channel<3>& x, const Channel<3>& v, const Channel<1>& volume,
                     const TaskPool& pool) {
    pool.for_each(tile_count_, [&](int t) {
        std::fill_n(sums_.begin() + t * kTileNodes, kTileNodes, NodeSum{});
    });
    for (std::size_t c = 0; c < 8; ++c)
        pool.for_each(colour_first_[c + 1] - colour_first_[c], [&](int k) {
            splat_tile(tiles_[at(by_colour_[at(colour_first_[c] + k)])], x, v, volume);
        });
}

void HairGrid::splat_tile(const Tile& tile, const Channel<3>& x, const Channel<3>& v,
                          const Channel<1>& volume) {
    struct PatchSum {
        FixedPair mass_x, yz, volume;  // momentum by its axes; one number is spare
    };
    PatchSum patch[kPatchNodes] = {};
    visit_vertices(tile, x, [&](Run run, int i, const GridPlace& place) {
        const Vec3f speed = ConstRows3<float>{v.block(run.block()) + run.lane()}[i];
        if (!is_slow_enough(speed)) return;
        const float filled = ConstRows1<float>{volume.block(run.block()) + run.lane()}[i];
        const Pair mass_x = pair_of(1, speed.x), yz = pair_of(speed.y, speed.z);
        const Pair volume_0 = pair_of(filled, 0);
        float weights[8];
        corner_weights(place.t, weights);
        PatchSum* first = patch + first_corner(place);
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) {
            const Pair w = pair_of(weights[k], weights[k]);
            PatchSum& node = first[patch_corner(k)];
            node.mass_x += to_fixed(mass_x * w);
            node.yz += to_fixed(yz * w);
            node.volume += to_fixed(volume_0 * w);
        }
    });
    visit_patch(tile, [&](int n, std::size_t node) {
        NodeSum& sum = sums_[node];
        sum.mass += patch[n].mass_x[0];
        sum.momentum[0] += patch[n].mass_x[1];
        sum.momentum[1] += patch[n].yz[0];
        sum.momentum[2] += patch[n].yz[1];
        sum.volume += patch[n].volume[0];
    });
}

void HairGrid::mix(const MixUniforms& uniforms, const Channel<3>& x, Channel<3>& v,
                   Channel<1>& density, const TaskPool& pool) {
    pool.for_each(tile_count_, [&](int t) {
        for (int n = 0; n < kTileNodes; ++n)
            answers_[node_index(t, n)].density = from_fixed(sums_[node_index(t, n)].volume);
    });
    pool.for_each(tile_count_, [&](int t) { answer_tile(t, uniforms); });
    const StrandLayout& layout = x.layout();
    pool.for_each(layout.block_count(),
                  [&](int b) { std::fill_n(density.block(b), layout.rows(b) * kLanes, 0.0f); });
    pool.for_each(colour_first_[8],
                  [&](int k) { mix_tile(tiles_[at(by_colour_[at(k)])], uniforms, x, v, density); });
}

void HairGrid::answer_tile(int t, const MixUniforms& uniforms) {
    // The tiles beside it, down and up in x, y and z; -1 where there is none.
    int beside[3][2];
    for (int axis = 0; axis < 3; ++axis)
        for (int up = 0; up < 2; ++up) {
            const int step = up ? 1 : -1;
            const std::uint64_t key = moved_key(tiles_[at(t)].key, axis == 0 ? step : 0,
                                                axis == 1 ? step : 0, axis == 2 ? step : 0);
            beside[axis][up] = hash_[at(find(key))].tile;
        }
    const auto density_beside = [&](int n, int axis, int up) {
        const int shift = kTileBits * axis, last = kTileSide - 1;
        const int here = n >> shift & last, there = here + (up ? 1 : -1);
        const int tile = there < 0 || there > last ? beside[axis][up] : t;
        if (tile < 0) return 0.0f;
        const int node = (n & ~(last << shift)) | (there & last) << shift;
        return answers_[node_index(tile, node)].density;
    };
    for (int n = 0; n < kTileNodes; ++n) {
        const NodeSum& sum = sums_[node_index(t, n)];
        if (sum.mass <= 0) {
            answers_[node_index(t, n)] = {};  // no vertex will ask, but the tile had others before
            continue;
        }
        const auto slope = [&](int axis) {
            return 0.5f * (density_beside(n, axis, 1) - density_beside(n, axis, 0));
        };
        set_answer(answers_[node_index(t, n)], uniforms, sum, {slope(0), slope(1), slope(2)});
    }
}

void HairGrid::mix_tile(const Tile& tile, const MixUniforms& uniforms, const Channel<3>& x,
                        Channel<3>& v, Channel<1>& density) const {
    using Floats = Wide8<IsaPortable>;
    alignas(64) NodeAnswer patch[kPatchNodes];
    visit_patch(tile, [&](int n, std::size_t node) { patch[n] = answers_[node]; });
    const StrandLayout& layout = x.layout();
    visit_vertices(tile, x, [&](Run run, int i, const GridPlace& place) {
        float weights[8];
        corner_weights(place.t, weights);
        const int first = first_corner(place);
        Floats sum(0);
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k)
            sum = sum + load<Floats>(patch[first + patch_corner(k)].push) * Floats(weights[k]);
        NodeAnswer taken;
        store(taken.push, sum);
        Rows1<float>{density.block(run.block()) + run.lane()}.set(i, taken.density);
        const int end = layout.vertex_count(layout.strand_at(run.block(), run.lane()));
        if (i < uniforms.first_free || i >= end - uniforms.held_tips) return;
        const Rows3<float> speed{v.block(run.block()) + run.lane()};
        const Vec3f before = speed[i];
        if (!is_slow_enough(before)) return;
        Vec3f after = mixed(before, taken);
        if (taken.pressure > 0) {
            float pressure[8];
            for (int k = 0; k < 8; ++k) pressure[k] = patch[first + patch_corner(k)].pressure;
            after += squeezed_out(uniforms, pressure, place.t);
        }
        speed.set(i, after);
    });
}

void HairGrid::fullest(const Channel<3>& x, Channel<1>& out, const TaskPool& pool) const {
    pool.for_each(colour_first_[8], [&](int k) {
        const Tile& tile = tiles_[at(by_colour_[at(k)])];
        std::int64_t patch[kPatchNodes];
        visit_patch(tile, [&](int n, std::size_t node) { patch[n] = sums_[node].volume; });
        visit_vertices(tile, x, [&](Run run, int i, const GridPlace& place) {
            std::int64_t most = 0;
            for (int c = 0; c < 8; ++c)
                most = std::max(most, patch[first_corner(place) + patch_corner(c)]);
            Rows1<float>{out.block(run.block()) + run.lane()}.set(i, from_fixed(most));
        });
    });
}

HairGrid::Node HairGrid::node_at(int x, int y, int z) const {
    const std::int32_t tile =
        hash_[at(find(tile_key(x >> kTileBits, y >> kTileBits, z >> kTileBits)))].tile;
    if (tile < 0) return {0, {0, 0, 0}, 0};
    const NodeSum& sum = sums_[node_index(tile, node_in_tile(x, y, z))];
    return {from_fixed(sum.mass),
            {from_fixed(sum.momentum[0]), from_fixed(sum.momentum[1]), from_fixed(sum.momentum[2])},
            from_fixed(sum.volume)};
}

}  // namespace ringlet
