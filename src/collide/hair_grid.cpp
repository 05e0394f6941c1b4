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

bool has_avx2() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

}  // namespace

HairGrid::HairGrid(const Channel<3>& x, float cell, const TaskPool& pool)
    : cells_per_metre_(1 / cell),
      find_tiles_(has_avx2() ? find_tiles_avx2 : find_tiles_portable),
      splat_tile_(has_avx2() ? splat_tile_avx2 : splat_tile_portable),
      mix_tile_(has_avx2() ? mix_tile_avx2 : mix_tile_portable) {
    const StrandLayout& layout = x.layout();
    const auto vertices = static_cast<std::size_t>(layout.vertex_total());
    // Hair with fewer than eight vertices to a tile of 64 cells is hardly in contact.
    const std::size_t most = vertices / 8 + 1024;
    const std::size_t padded = at(layout.row_count()) * kLanes;
    hash_.assign(std::bit_ceil((vertices + most) * 3 / 2), {kNoKey, 0, -1});
    touched_.resize(vertices + most);
    runs_.resize(padded);
    vertices_.resize(vertices);
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
    for (std::vector<std::int32_t>* list : {&next_vertex_, &by_colour_}) {
        list->resize(limit);
        list->shrink_to_fit();
    }
    tiles_.resize(limit);
    tiles_.shrink_to_fit();
}

std::size_t HairGrid::byte_count() const {
    const auto bytes = [](const auto& list) { return list.capacity() * sizeof(*list.data()); };
    return bytes(hash_) + bytes(touched_) + bytes(runs_) + bytes(vertices_) + bytes(block_runs_) +
           bytes(tiles_) + bytes(next_vertex_) + bytes(by_colour_) + bytes(sums_) + bytes(answers_);
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
    give_places(x.layout(), pool);
    sort_by_colour();
}

// Eight strands at a time; most vertices are in the tile of the one before.
void HairGrid::find_runs(const Channel<3>& x, int block) {
    const StrandLayout& layout = x.layout();
    Run* const runs = runs_.data() + layout.first_row(block) * kLanes;
    std::int32_t count = 0;
    int ends[kLanes];                 // vertices of a strand
    Run* last[kLanes] = {};           // its last run
    std::uint64_t keys[kLanes] = {};  // ... and the tile of that
    int is_off = (1 << kLanes) - 1;   // strands that were not on the grid at the vertex before
    int has_ended = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        const int strand = layout.strand_at(block, lane);
        ends[lane] = strand < 0 ? 0 : layout.vertex_count(strand);
    }
    BlockTiles found;
    const int rows = layout.rows(block);
    for (int i = 0; i < rows; ++i) {
        const int r = i % BlockTiles::kMostRows;
        if (r == 0)
            find_tiles_(found, x.block(block), i, std::min(rows - i, BlockTiles::kMostRows),
                        cells_per_metre_);
        for (int lane = 0; lane < kLanes; ++lane) has_ended |= (i >= ends[lane] ? 1 : 0) << lane;
        const int gone = found.gone[r];
        unsigned todo = static_cast<unsigned>((found.moved[r] | gone | is_off) & ~has_ended);
        for (; todo != 0; todo &= todo - 1) {
            const int lane = std::countr_zero(todo), bit = 1 << lane;
            if (!(is_off & bit))
                last[lane]->count = static_cast<std::uint16_t>(i - last[lane]->first);
            is_off = (is_off & ~bit) | (gone & bit);
            if (gone & bit) continue;
            const auto& tile = found.tile[r];
            keys[lane] = tile_key(tile[0][lane], tile[1][lane], tile[2][lane]);
            const bool as_beside = lane > 0 && last[lane - 1] && keys[lane - 1] == keys[lane];
            const int slot = as_beside ? last[lane - 1]->at : insert(keys[lane]);
            add_relaxed(hash_[at(slot)].run_count, 1);
            last[lane] = &runs[count++];
            *last[lane] = {slot, static_cast<std::uint16_t>(lane), static_cast<std::uint16_t>(i),
                           0};
        }
    }
    for (int lane = 0; lane < kLanes; ++lane)
        if (last[lane] && !(is_off & 1 << lane))
            last[lane]->count = static_cast<std::uint16_t>(ends[lane] - last[lane]->first);
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
        tiles_[at(entry.tile)] = {entry.key, 0, 0, {-1}};
    }
    return entry.tile;
}

// Every tile with vertices needs those above it, which its vertices reach.
void HairGrid::choose_tiles() {
    order_touched();
    const std::int32_t with_runs = touched_count_;
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
        GridTile& tile = tiles_[at(above[0])];
        std::copy(above.begin(), above.end(), tile.above);
    }
}

template <class Visit>
void HairGrid::visit_runs(const StrandLayout& layout, int block, const Visit& visit) const {
    const Run* const runs = runs_.data() + layout.first_row(block) * kLanes;
    for (std::int32_t k = 0; k < block_runs_[at(block)]; ++k)
        if (runs[k].at >= 0) visit(runs[k]);
}

// Vertices of a tile are to follow one another; those of a tile without room are left out. Their
// order in it depends on who comes first, but nothing depends on that order.
void HairGrid::give_places(const StrandLayout& layout, const TaskPool& pool) {
    const auto for_each_run = [&](const auto& body) {
        pool.for_each(layout.block_count(), [&](int b) {
            Run* const runs = runs_.data() + layout.first_row(b) * kLanes;
            for (std::int32_t k = 0; k < block_runs_[at(b)]; ++k) body(runs[k]);
        });
    };
    for_each_run([&](Run& run) {
        run.at = hash_[at(run.at)].tile;
        if (run.at >= 0 && tiles_[at(run.at)].above[0] < 0) run.at = -1;
        if (run.at >= 0) add_relaxed(tiles_[at(run.at)].vertex_count, run.count);
    });
    std::int32_t total = 0;
    for (int t = 0; t < tile_count_; ++t) {
        tiles_[at(t)].first_vertex = next_vertex_[at(t)] = total;
        total += tiles_[at(t)].vertex_count;
    }
    for_each_run([&](Run& run) {
        if (run.at >= 0) run.at = add_relaxed(next_vertex_[at(run.at)], run.count);
    });
}

void HairGrid::sort_by_colour() {
    std::array<std::int32_t, 8> next{};
    for (int t = 0; t < tile_count_; ++t)
        if (tiles_[at(t)].vertex_count > 0) ++colour_first_[at(colour_of(tiles_[at(t)].key) + 1)];
    for (std::size_t c = 0; c < 8; ++c) {
        next[c] = colour_first_[c];
        colour_first_[c + 1] += colour_first_[c];
    }
    for (int t = 0; t < tile_count_; ++t)
        if (tiles_[at(t)].vertex_count > 0)
            by_colour_[at(next[at(colour_of(tiles_[at(t)].key))]++)] = t;
}

void HairGrid::splat(const Channel<3>& x, const Channel<3>& v, const Channel<1>& volume,
                     const TaskPool& pool) {
    const StrandLayout& layout = x.layout();
    pool.for_each(layout.block_count(), [&](int b) {
        visit_runs(layout, b, [&](const Run& run) {
            const ConstRows3<float> places{x.block(b) + run.lane}, speeds{v.block(b) + run.lane};
            const ConstRows1<float> volumes{volume.block(b) + run.lane};
            for (int k = 0; k < run.count; ++k) {
                const Vec3f p = places[run.first + k], s = speeds[run.first + k];
                vertices_[at(run.at + k)] = {
                    {p.x, p.y, p.z}, 0, {s.x, s.y, s.z}, volumes[run.first + k]};
            }
        });
    });
    pool.for_each(tile_count_, [&](int t) {
        std::fill_n(sums_.begin() + t * kTileNodes, kTileNodes, NodeSum{});
    });
    for (std::size_t c = 0; c < 8; ++c)
        pool.for_each(colour_first_[c + 1] - colour_first_[c], [&](int k) {
            splat_tile_(tiles_[at(by_colour_[at(colour_first_[c] + k)])], vertices_.data(),
                        cells_per_metre_, sums_.data());
        });
}

void HairGrid::mix(const MixUniforms& uniforms, Channel<3>& v, Channel<1>& density,
                   const TaskPool& pool) {
    pool.for_each(tile_count_, [&](int t) {
        for (int n = 0; n < kTileNodes; ++n)
            answers_[node_index(t, n)].density = from_fixed(sums_[node_index(t, n)].volume);
    });
    pool.for_each(tile_count_, [&](int t) { answer_tile(t, uniforms); });
    pool.for_each(colour_first_[8], [&](int k) {
        mix_tile_(tiles_[at(by_colour_[at(k)])], vertices_.data(), cells_per_metre_, uniforms,
                  answers_.data());
    });
    const StrandLayout& layout = v.layout();
    pool.for_each(layout.block_count(), [&](int b) {
        std::fill_n(density.block(b), layout.rows(b) * kLanes, 0.0f);
        visit_runs(layout, b, [&](const Run& run) {
            const int end = layout.vertex_count(layout.strand_at(b, run.lane)) - uniforms.held_tips;
            const Rows3<float> speeds{v.block(b) + run.lane};
            const Rows1<float> densities{density.block(b) + run.lane};
            for (int k = 0; k < run.count; ++k) {
                const GridVertex& vertex = vertices_[at(run.at + k)];
                const int i = run.first + k;
                densities.set(i, vertex.density);
                if (i >= uniforms.first_free && i < end)
                    speeds.set(i, {vertex.v[0], vertex.v[1], vertex.v[2]});
            }
        });
    });
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

void HairGrid::fullest(Channel<1>& out, const TaskPool& pool) {
    pool.for_each(colour_first_[8], [&](int c) {
        const GridTile& tile = tiles_[at(by_colour_[at(c)])];
        std::int64_t patch[kPatchNodes];
        visit_patch(tile, [&](int n, std::size_t node) { patch[n] = sums_[node].volume; });
        for (std::int32_t k = 0; k < tile.vertex_count; ++k) {
            GridVertex& vertex = vertices_[at(tile.first_vertex + k)];
            const int first = first_corner(
                place_of(Vec3f{vertex.x[0], vertex.x[1], vertex.x[2]} * cells_per_metre_));
            std::int64_t most = 0;
            for (int n = 0; n < 8; ++n) most = std::max(most, patch[first + patch_corner(n)]);
            vertex.density = from_fixed(most);
        }
    });
    pool.for_each(out.layout().block_count(), [&](int b) {
        visit_runs(out.layout(), b, [&](const Run& run) {
            const Rows1<float> rows{out.block(b) + run.lane};
            for (int k = 0; k < run.count; ++k)
                rows.set(run.first + k, vertices_[at(run.at + k)].density);
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
