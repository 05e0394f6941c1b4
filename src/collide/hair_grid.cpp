#include "collide/hair_grid.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <thread>

#include "math/lane_choice.h"
#include "math/wide8.h"

namespace ringlet {

namespace {

constexpr std::uint64_t kNoKey = LocalTileCache::kNoKey;

// In place of the index of a tile.
constexpr std::int32_t kPending = -1, kNoRoom = -2;

// The most blocks of strands that a task scatters before it writes its local tiles back.
constexpr int kMaxBlocksPerTask = 2048 / kLanes;

// The most threads; each may add one tile or key too many before it sees that there is no room.
constexpr std::size_t kMaxThreads = 1024;

// Initial capacity: dense hair has some hundred vertices per tile.
std::size_t initial_key_count(std::size_t vertices) { return vertices / 512 + 4 * kMaxThreads; }

std::int32_t add_relaxed(std::int32_t& to, std::int32_t a) {
    return std::atomic_ref(to).fetch_add(a, std::memory_order_relaxed);
}

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

// Locks a tile while some hundred numbers are added.
class Lock {
public:
    explicit Lock(std::int32_t& lock) : lock_(lock) {
        while (lock_.exchange(1, std::memory_order_acquire) != 0) std::this_thread::yield();
    }
    ~Lock() { lock_.store(0, std::memory_order_release); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

private:
    std::atomic_ref<std::int32_t> lock_;
};

GridLoops loops_of_machine() {
    switch (choose_lanes(LaneKind::automatic)) {
        case LaneKind::avx512:
            return grid_loops<Wide8<IsaAvx512>>();
        case LaneKind::avx2:
            return grid_loops<Wide8<IsaAvx2>>();
        default:
            return grid_loops<Wide8<IsaPortable>>();
    }
}

// The key of the tile one step up (1) or down (-1) along the axes whose bit is set in `corner`.
std::uint64_t neighbour_key(std::uint64_t key, int corner, int step) {
    return moved_key(key, (corner & 1) * step, (corner >> 1 & 1) * step, (corner >> 2) * step);
}

// The blocks that this process simulates.
struct BlockRange {
    int first, end;

    BlockRange(const StrandLayout& layout, const StrandDivision& division)
        : first(division.is_divided() ? division.first_block() : 0),
          end(division.is_divided() ? division.end_block() : layout.block_count()) {}
    int count() const { return end - first; }
};

// Calls body(block, lane) for every group of kGridLanes strands.
template <class Body>
void for_each_lane_group(const BlockRange& blocks, const TaskPool& pool, const Body& body) {
    pool.for_each(blocks.count(), [&](int k) {
        for (int lane = 0; lane < kLanes; lane += kGridLanes) body(blocks.first + k, lane);
    });
}

// Stores the vertex counts of the strands in kGridLanes lanes; 0 in lanes without a strand.
void store_ends(const StrandLayout& layout, int block, int first_lane, float* ends) {
    for (int lane = 0; lane < kGridLanes; ++lane) {
        const int strand = layout.strand_at(block, first_lane + lane);
        ends[lane] = strand < 0 ? 0 : static_cast<float>(layout.vertex_count(strand));
    }
}

void clear_local_tile(LocalTileCache& cache, int entry) {
    cache.vertex_counts[entry] = 0;
    *cache.local_sums[entry] = {};
}

}  // namespace

HairGrid::HairGrid(const Channel<3>& x, float cell, const TaskPool& pool)
    : cells_per_metre_(1 / cell), loops_(loops_of_machine()) {
    const StrandLayout& layout = x.layout();
    const auto vertices = static_cast<std::size_t>(layout.vertex_total());
    // Hair with fewer than eight vertices per tile of 64 cells is hardly in contact.
    const std::size_t most = vertices / 8 + 1024;
    reserve_keys(initial_key_count(vertices));

    // Three times as many tiles as the hair fills now.
    tile_keys_.resize(most);
    repeat_until_hash_fits([&] {
        pool.for_each(layout.strand_count(), [&](int s) {
            for (int i = 0; i < layout.vertex_count(s); ++i) {
                const Vec3f cells = x.vec3(s, i) * cells_per_metre_;
                if (!is_on_grid(cells)) continue;
                const Inserted entry = insert(tile_key(grid_position(cells)));
                if (entry.slot < 0) return;
                add_relaxed(hash_[at(entry.slot)].vertex_count, 1);
            }
        });
    });
    choose_tiles();
    const std::size_t wanted = std::min(at(tile_count_) * 3 + 512, most);
    clear();
    tile_keys_.resize(wanted);
    tile_keys_.shrink_to_fit();
    locks_.resize(wanted);
    sums_.resize(wanted);
    densities_.resize(wanted * kTileNodes);
    local_tiles_.resize(wanted * kLocalNodes);
}

std::size_t HairGrid::byte_count() const {
    const auto of_tile = [](const auto&... lists) { return (sizeof(*lists.data()) + ...); };
    const std::size_t nodes =
        kTileNodes * sizeof(densities_[0]) + kLocalNodes * sizeof(local_tiles_[0]);
    return hash_.size() * sizeof(hash_[0]) + used_slots_.size() * sizeof(used_slots_[0]) +
           at(std::max(max_tiles_, std::min(tile_count_, tile_limit()))) *
               (of_tile(tile_keys_, locks_, sums_) + nodes);
}

void HairGrid::clear() {
    for (std::int32_t k = 0; k < used_count_; ++k)
        hash_[at(used_slots_[at(k)])] = {kNoKey, 0, kPending};
    used_count_ = 0;
    max_tiles_ = std::max(max_tiles_, std::min(tile_count_, tile_limit()));
    tile_count_ = 0;
    tiles_are_full_ = 0;
    tiles_are_chosen_ = false;
}

// Reserves capacity for at least that many keys and keeps those in use.
void HairGrid::reserve_keys(std::size_t keys) {
    if (keys <= used_slots_.size()) return;
    used_slots_.resize(keys);
    std::vector<HashEntry> before(std::bit_ceil(keys * 3 / 2), {kNoKey, 0, kPending});
    hash_.swap(before);
    for (std::int32_t k = 0; k < used_count_; ++k) {
        const HashEntry& entry = before[at(used_slots_[at(k)])];
        used_slots_[at(k)] = find(entry.key);
        hash_[at(used_slots_[at(k)])] = entry;
    }
}

// Fills the hash table, and repeats with twice the capacity while it is too small. Ends, because
// there are no more keys than vertices and tiles.
template <class Pass>
void HairGrid::repeat_until_hash_fits(const Pass& pass) {
    for (;;) {
        clear();
        pass();
        if (!hash_is_full_) return;
        hash_is_full_ = 0;
        used_count_ = 0;
        hash_.clear();
        reserve_keys(2 * used_slots_.size());
    }
}

// Returns the slot of a key, or the empty slot where it would be inserted.
int HairGrid::find(std::uint64_t key) const {
    const std::size_t mask = hash_.size() - 1;
    std::size_t slot = (key * 0x9e3779b97f4a7c15ull >> 32) & mask;
    while (hash_[slot].key != key && hash_[slot].key != kNoKey) slot = (slot + 1) & mask;
    return static_cast<int>(slot);
}

// Thread-safe. A thread that finds no room sets hash_is_full_; until the others see it, each may
// add one more key, for which the hash table is large enough.
HairGrid::Inserted HairGrid::insert(std::uint64_t key) {
    if (std::atomic_ref(hash_is_full_).load(std::memory_order_relaxed)) return {-1, false};
    const std::size_t mask = hash_.size() - 1;
    std::size_t slot = (key * 0x9e3779b97f4a7c15ull >> 32) & mask;
    for (;; slot = (slot + 1) & mask) {
        std::atomic_ref<std::uint64_t> here(hash_[slot].key);
        std::uint64_t found = here.load(std::memory_order_relaxed);
        if (found == kNoKey) {
            if (here.compare_exchange_strong(found, key, std::memory_order_relaxed)) {
                const std::size_t count = at(add_relaxed(used_count_, 1));
                if (count < used_slots_.size())
                    used_slots_[count] = static_cast<std::int32_t>(slot);
                else
                    std::atomic_ref(hash_is_full_).store(1, std::memory_order_relaxed);
                return {static_cast<std::int32_t>(slot), true};
            }
        }
        if (found == key) return {static_cast<std::int32_t>(slot), false};
    }
}

// Returns the tile of a key, negative if there is no room. The thread that inserted the key creates
// and clears the tile. The result does not depend on the tile's index.
std::int32_t HairGrid::find_or_create_tile(Inserted entry) {
    if (entry.slot < 0) return kNoRoom;
    HashEntry& own = hash_[at(entry.slot)];
    std::atomic_ref<std::int32_t> tile(own.tile);
    std::int32_t found;
    if (!entry.is_new) {
        while ((found = tile.load(std::memory_order_acquire)) == kPending)
            std::this_thread::yield();
        return found;
    }
    found = add_relaxed(tile_count_, 1);
    if (at(found) < tile_keys_.size()) {
        // Atomic, because other threads may still try to exchange this key (insert()).
        tile_keys_[at(found)] = std::atomic_ref(own.key).load(std::memory_order_relaxed);
        sums_[at(found)] = {};
    } else {
        found = kNoRoom;
        std::atomic_ref(tiles_are_full_).store(1, std::memory_order_relaxed);
    }
    tile.store(found, std::memory_order_release);
    return found;
}

void HairGrid::scatter(const Channel<3>& x, const Channel<3>& v, const Channel<1>& volume,
                       float largest_volume, Channel<1>& per_vertex, const TaskPool& pool) {
    units_ = GridUnits(fastest(v, pool), largest_volume);
    repeat_until_hash_fits([&] { scatter_all(x, v, volume, per_vertex, pool); });
    solved_count_ = tile_count_;
    if (is_shared()) exchange_tiles();
    if (!tiles_are_full_) return;
    if (is_shared()) add_vertex_counts_of_others();
    choose_tiles();
    solved_count_ = tile_count_;
    std::fill_n(sums_.begin(), tile_count_, TileSums{});
    scatter_all(x, v, volume, per_vertex, pool);
    if (is_shared()) add_all_sums_of_others();
}

float HairGrid::fastest(const Channel<3>& v, const TaskPool& pool) const {
    std::atomic<std::int32_t> most{0};  // bits, which order positive floats like their values
    for_each_lane_group({v.layout(), division_}, pool, [&](int b, int lane) {
        float ends[kGridLanes];
        store_ends(v.layout(), b, lane, ends);
        const std::int32_t here =
            bits_of(loops_.fastest(v.block(b) + lane, ends, v.layout().rows(b)));
        std::int32_t before = most.load(std::memory_order_relaxed);
        while (before < here && !most.compare_exchange_weak(before, here)) {
        }
    });
    return from_bits(maximum_over_ranks(most));
}

// Iterates over blocks of strands in groups, as the loops of grid_tiles.h take them.
class HairGrid::BlockGroups {
public:
    // For scatter, and for gather.
    BlockGroups(HairGrid& grid, const Channel<3>& x, const Channel<3>& v, const Channel<1>* volume,
                Channel<1>& per_vertex)
        : grid_(grid), x_(x), v_(v), volume_(volume), per_vertex_(per_vertex) {}
    BlockGroups(HairGrid& grid, const Channel<3>& x, Channel<3>& v, Channel<1>& per_vertex)
        : grid_(grid), x_(x), v_(v), v_after_(&v), per_vertex_(per_vertex) {}

    // Calls body(blocks, count) for the blocks in [first, end), up to kMaxBlocks at a time.
    template <class Body>
    void for_each(int first, int end, const Body& body) const {
        constexpr int kParts = kLanes / kGridLanes;
        GridBlock blocks[kMaxBlocks];
        int count = 0;
        for (int part = first * kParts; part < end * kParts; ++part) {
            blocks[count++] = block_of(part / kParts, part % kParts * kGridLanes);
            if (count < kMaxBlocks && part + 1 < end * kParts) continue;
            body(blocks, count);
            count = 0;
        }
    }

private:
    GridBlock block_of(int block, int first_lane) const {
        const StrandLayout& layout = x_.layout();
        GridBlock out{layout.rows(block),
                      {},
                      grid_.cells_per_metre_,
                      x_.block(block) + first_lane,
                      v_.block(block) + first_lane,
                      volume_ ? volume_->block(block) + first_lane : nullptr,
                      v_after_ ? v_after_->block(block) + first_lane : nullptr,
                      per_vertex_.block(block) + first_lane};
        store_ends(layout, block, first_lane, out.ends);
        return out;
    }

    HairGrid& grid_;
    const Channel<3>&x_, &v_;
    const Channel<1>* volume_ = nullptr;
    Channel<3>* v_after_ = nullptr;
    Channel<1>& per_vertex_;
};

void HairGrid::scatter_all(const Channel<3>& x, const Channel<3>& v, const Channel<1>& volume,
                           Channel<1>& per_vertex, const TaskPool& pool) {
    const BlockRange blocks(x.layout(), division_);
    const int at_once =
        std::clamp(blocks.count() / (4 * pool.thread_count()), 1, kMaxBlocksPerTask);
    const BlockGroups together(*this, x, v, &volume, per_vertex);
    pool.for_each((blocks.count() + at_once - 1) / at_once, [&](int task) {
        float* const memory = thread_scratch(sizeof(LocalTileCache) / sizeof(float));
        LocalTileCache& cache = *reinterpret_cast<LocalTileCache*>(memory);
        cache.grid = this;
        cache.fetch = [](LocalTileCache& to, int entry, std::uint64_t key) {
            static_cast<HairGrid*>(to.grid)->fetch(to, entry, key);
        };
        cache.flush = [](LocalTileCache& from, int entry) {
            static_cast<HairGrid*>(from.grid)->write_back(from, entry);
            clear_local_tile(from, entry);
        };
        std::fill(std::begin(cache.keys), std::end(cache.keys), kNoKey);
        cache.sums_count = 0;
        const int first = blocks.first + task * at_once;
        together.for_each(first, std::min(first + at_once, blocks.end),
                          [&](const GridBlock* some, int count) {
                              loops_.scatter_vertices(some, count, units_, cache);
                          });
        for (int entry = 0; entry < LocalTileCache::kCount; ++entry)
            if (cache.keys[entry] != kNoKey) write_back(cache, entry);
    });
}

// Assigns a tile to an entry. Its vertices also reach the upper neighbours, so these must exist.
void HairGrid::fetch(LocalTileCache& cache, int entry, std::uint64_t key) {
    if (cache.keys[entry] == kNoKey) {
        cache.local_sums[entry] = &cache.sums[cache.sums_count++];
    } else {
        write_back(cache, entry);
    }
    clear_local_tile(cache, entry);
    cache.keys[entry] = key;
    std::int32_t* const above = cache.above[entry];
    bool fits = true;
    if (tiles_are_chosen_) {
        for (int c = 0; c < 8; ++c) above[c] = hash_[at(find(neighbour_key(key, c, 1)))].tile;
        cache.hash_slots[entry] = find(key);
        fits = hash_[at(cache.hash_slots[entry])].vertex_count > 0;
    } else {
        const Inserted own = insert(key);
        cache.hash_slots[entry] = std::max(own.slot, 0);  // full: the counts are not used
        above[0] = find_or_create_tile(own);
        fits = above[0] >= 0;
        for (int c = 1; c < 8 && fits; ++c) {
            above[c] = std::atomic_ref(tiles_are_full_).load(std::memory_order_relaxed)
                           ? kNoRoom
                           : find_or_create_tile(insert(neighbour_key(key, c, 1)));
            fits = above[c] >= 0;
        }
    }
    cache.first_nodes[entry] = fits ? above[0] * kLocalNodes : LocalTileCache::kNoTile;
}

void HairGrid::write_back(const LocalTileCache& cache, int entry) {
    if (!tiles_are_chosen_)
        add_relaxed(hash_[at(cache.hash_slots[entry])].vertex_count, cache.vertex_counts[entry]);
    if (cache.first_nodes[entry] >= 0)
        for (int c = 0; c < 8; ++c) {
            const std::size_t tile = at(cache.above[entry][c]);
            const Lock lock(locks_[tile]);
            loops_.add_local_tile(*cache.local_sums[entry], c, sums_[tile]);
        }
}

// Assigns the available tiles to those with the most vertices. The order does not depend on the
// scheduling of threads.
void HairGrid::choose_tiles() {
    reserve_keys(at(used_count_) + std::min(7 * at(used_count_), tile_keys_.size()));
    std::vector<std::int32_t> wanted;
    for (std::int32_t k = 0; k < used_count_; ++k) {
        HashEntry& entry = hash_[at(used_slots_[at(k)])];
        entry.tile = kPending;
        if (entry.vertex_count > 0) wanted.push_back(used_slots_[at(k)]);
    }
    std::sort(wanted.begin(), wanted.end(), [&](std::int32_t a, std::int32_t b) {
        const HashEntry &ea = hash_[at(a)], &eb = hash_[at(b)];
        return ea.vertex_count != eb.vertex_count ? ea.vertex_count > eb.vertex_count
                                                  : ea.key < eb.key;
    });
    tile_count_ = 0;
    const auto has_room = [&] { return at(tile_count_) < tile_keys_.size(); };
    for (const std::int32_t slot : wanted) {
        bool fits = true;
        for (int c = 0; c < 8 && fits; ++c) {
            // A key without a tile is not inserted: the hash table has room for one key per tile.
            const std::uint64_t key = neighbour_key(hash_[at(slot)].key, c, 1);
            fits = hash_[at(find(key))].tile >= 0 || has_room();
            if (!fits) break;
            HashEntry& entry = hash_[at(insert(key).slot)];
            if (entry.tile >= 0) continue;
            entry.tile = tile_count_++;
            tile_keys_[at(entry.tile)] = entry.key;
        }
        if (!fits) hash_[at(slot)].vertex_count = 0;
    }
    tiles_are_chosen_ = true;
}

TileNeighbours HairGrid::neighbours_of(int tile) {
    const std::uint64_t key = tile_keys_[at(tile)];
    TileNeighbours out{&sums_[at(tile)], &densities_[at(tile) * kTileNodes], {}, {}};
    for (int axis = 0; axis < 3; ++axis)
        for (const int up : {0, 1}) {
            const std::int32_t t = hash_[at(find(neighbour_key(key, 1 << axis, up ? 1 : -1)))].tile;
            out.neighbours[axis][up] = t < 0 ? nullptr : &densities_[at(t) * kTileNodes];
        }
    for (int c = 0; c < 8; ++c) {
        const HashEntry& entry = hash_[at(find(neighbour_key(key, c, -1)))];
        const bool has_local_tile = entry.vertex_count > 0 && entry.tile >= 0;
        out.local_tiles[c] = has_local_tile ? &local_tiles_[at(entry.tile) * kLocalNodes] : nullptr;
    }
    return out;
}

void HairGrid::couple(const CoupleUniforms& uniforms, const Channel<3>& x, Channel<3>& v,
                      Channel<1>& per_vertex, const TaskPool& pool) {
    pool.for_each(tile_count_, [&](int t) {
        loops_.measure_density(sums_[at(t)], units_, &densities_[at(t) * kTileNodes]);
    });
    pool.for_each(solved_count_,
                  [&](int t) { loops_.solve_tile(neighbours_of(t), uniforms, units_); });
    const BlockGroups together(*this, x, v, per_vertex);
    const BlockRange blocks(x.layout(), division_);
    pool.for_each((blocks.count() + kMaxBlocks - 1) / kMaxBlocks, [&](int task) {
        const int first = blocks.first + task * kMaxBlocks;
        together.for_each(first, std::min(first + kMaxBlocks, blocks.end),
                          [&](const GridBlock* some, int count) {
                              loops_.gather_vertices(some, count, uniforms, local_tiles_.data());
                          });
    });
}

void HairGrid::max_density_around(Channel<1>& per_vertex, const TaskPool& pool) {
    pool.for_each(tile_count_, [&](int t) {
        NodeUpdate nodes[kTileNodes]{};
        for (std::size_t n = 0; n < kTileNodes; ++n)
            nodes[n].density = units_.density(sums_[at(t)].volume[n]);
        copy_to_local_tiles(nodes, neighbours_of(t).local_tiles);
    });
    const StrandLayout& layout = per_vertex.layout();
    pool.for_each(layout.block_count(), [&](int b) {
        float* const own = per_vertex.block(b);
        for (std::size_t k = 0; k < layout.values_per_component(b); ++k) {
            const std::int32_t place = bits_of(own[k]);
            float most = 0;
            for (int n = 0; n < 8 && place >= 0; ++n)
                most = std::max(most, local_tiles_[at(place + local_corner(n))].density);
            own[k] = most;
        }
    });
}

HairGrid::Node HairGrid::node_at(int x, int y, int z) const {
    const std::int32_t tile =
        hash_[at(find(tile_key(x >> kTileBits, y >> kTileBits, z >> kTileBits)))].tile;
    if (tile < 0) return {0, {0, 0, 0}, 0};
    const std::size_t n = at(node_in_tile(x, y, z));
    const std::int64_t* const sum = sums_[at(tile)].momentum_mass[n];
    const auto momentum = [&](int axis) { return static_cast<float>(sum[axis]) / units_.momentum; };
    return {static_cast<float>(sum[3]) / GridUnits::kMass,
            {momentum(0), momentum(1), momentum(2)},
            units_.density(sums_[at(tile)].volume[n])};
}

}  // namespace ringlet
