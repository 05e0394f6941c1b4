#include "collide/hair_grid.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <thread>

#include "math/lane_choice.h"

namespace ringlet {

namespace {

constexpr std::uint64_t kNoKey = PatchCache::kNoKey;

// Instead of the number of a tile.
constexpr std::int32_t kNotYet = -1, kNoRoom = -2;

// Blocks of strands that are summed up together before the grid sees their sums.
constexpr int kMostBlocksAtOnce = 2048 / kLanes;

// Threads that may each make a tile or a key too many before they see that there is no room.
constexpr std::size_t kMaxThreads = 1024;

// Keys the hash has room for at first: hair has some hundred vertices to a tile, or is little.
std::size_t keys_at_first(std::size_t vertices) { return vertices / 512 + 4 * kMaxThreads; }

std::int32_t add_relaxed(std::int32_t& to, std::int32_t a) {
    return std::atomic_ref(to).fetch_add(a, std::memory_order_relaxed);
}

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

// Of a tile, held while some hundred numbers are added.
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

const GridLoops& loops_of_machine() {
    switch (choose_lanes(LaneKind::automatic)) {
        case LaneKind::avx512:
            return kGridLoopsAvx512;
        case LaneKind::avx2:
            return kGridLoopsAvx2;
        default:
            return kGridLoopsPortable;
    }
}

// The tile that is up (1) or down (-1) by the bits of a corner.
std::uint64_t key_beside(std::uint64_t key, int corner, int step) {
    return moved_key(key, (corner & 1) * step, (corner >> 1 & 1) * step, (corner >> 2) * step);
}

// Calls body(block, lane) for all strands, from each such lane on as many as go together.
template <class Body>
void for_each_part(const StrandLayout& layout, const TaskPool& pool, const Body& body) {
    pool.for_each(layout.block_count(), [&](int b) {
        for (int lane = 0; lane < kLanes; lane += kGridLanes) body(b, lane);
    });
}

void empty_patch(PatchCache& cache, int entry) {
    cache.gifts[entry] = 0;
    *cache.sums_of[entry] = {};
}

}  // namespace

HairGrid::HairGrid(const Channel<3>& x, float cell, const TaskPool& pool)
    : cells_per_metre_(1 / cell), loops_(&loops_of_machine()) {
    const StrandLayout& layout = x.layout();
    const auto vertices = static_cast<std::size_t>(layout.vertex_total());
    // Hair with fewer than eight vertices to a tile of 64 cells is hardly in contact.
    const std::size_t most = vertices / 8 + 1024;
    make_room(keys_at_first(vertices));

    // As many tiles as the hair fills now, and twice as many again.
    tile_keys_.resize(most);
    repeat_until_roomy([&] {
        pool.for_each(layout.strand_count(), [&](int s) {
            for (int i = 0; i < layout.vertex_count(s); ++i) {
                const Vec3f cells = x.vec3(s, i) * cells_per_metre_;
                if (!is_in_reach(cells)) continue;
                const Inserted entry = insert(tile_key(place_of(cells)));
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
    patches_.resize(wanted * kPatchNodes);
}

std::size_t HairGrid::byte_count() const {
    const auto of_tile = [](const auto&... lists) { return (sizeof(*lists.data()) + ...); };
    const std::size_t nodes =
        kTileNodes * sizeof(densities_[0]) + kPatchNodes * sizeof(patches_[0]);
    return hash_.size() * sizeof(hash_[0]) + touched_.size() * sizeof(touched_[0]) +
           at(std::max(most_tiles_, std::min(tile_count_, tile_limit()))) *
               (of_tile(tile_keys_, locks_, sums_) + nodes);
}

void HairGrid::clear() {
    for (std::int32_t k = 0; k < touched_count_; ++k)
        hash_[at(touched_[at(k)])] = {kNoKey, 0, kNotYet};
    touched_count_ = 0;
    most_tiles_ = std::max(most_tiles_, std::min(tile_count_, tile_limit()));
    tile_count_ = 0;
    is_full_ = 0;
    are_chosen_ = false;
}

// For that many keys at least; those there are stay.
void HairGrid::make_room(std::size_t keys) {
    if (keys <= touched_.size()) return;
    touched_.resize(keys);
    std::vector<HashEntry> before(std::bit_ceil(keys * 3 / 2), {kNoKey, 0, kNotYet});
    hash_.swap(before);
    for (std::int32_t k = 0; k < touched_count_; ++k) {
        const HashEntry& entry = before[at(touched_[at(k)])];
        touched_[at(k)] = find(entry.key);
        hash_[at(touched_[at(k)])] = entry;
    }
}

// Fills the hash from nothing, and again with twice the room where that was too little: keys are no
// more than vertices and tiles, so it ends.
template <class Pass>
void HairGrid::repeat_until_roomy(const Pass& pass) {
    for (;;) {
        clear();
        pass();
        if (!is_crowded_) return;
        is_crowded_ = 0;
        touched_count_ = 0;
        hash_.clear();
        make_room(2 * touched_.size());
    }
}

// The slot of a key, or of the empty entry where it would be.
int HairGrid::find(std::uint64_t key) const {
    const std::size_t mask = hash_.size() - 1;
    std::size_t slot = (key * 0x9e3779b97f4a7c15ull >> 32) & mask;
    while (hash_[slot].key != key && hash_[slot].key != kNoKey) slot = (slot + 1) & mask;
    return static_cast<int>(slot);
}

// Safe to call from several threads. Whoever finds no room says so to all; until they have heard,
// each may add one key, for which the hash is large enough.
HairGrid::Inserted HairGrid::insert(std::uint64_t key) {
    if (std::atomic_ref(is_crowded_).load(std::memory_order_relaxed)) return {-1, false};
    const std::size_t mask = hash_.size() - 1;
    std::size_t slot = (key * 0x9e3779b97f4a7c15ull >> 32) & mask;
    for (;; slot = (slot + 1) & mask) {
        std::atomic_ref<std::uint64_t> here(hash_[slot].key);
        std::uint64_t found = here.load(std::memory_order_relaxed);
        if (found == kNoKey) {
            if (here.compare_exchange_strong(found, key, std::memory_order_relaxed)) {
                const std::size_t count = at(add_relaxed(touched_count_, 1));
                if (count < touched_.size())
                    touched_[count] = static_cast<std::int32_t>(slot);
                else
                    std::atomic_ref(is_crowded_).store(1, std::memory_order_relaxed);
                return {static_cast<std::int32_t>(slot), true};
            }
        }
        if (found == key) return {static_cast<std::int32_t>(slot), false};
    }
}

// The tile of a key, cleared by whoever comes first; negative where there is no room. Tiles are
// numbered as they come; nothing depends on the number.
std::int32_t HairGrid::made_tile(Inserted entry) {
    if (entry.slot < 0) return kNoRoom;
    HashEntry& own = hash_[at(entry.slot)];
    std::atomic_ref<std::int32_t> tile(own.tile);
    std::int32_t found;
    if (!entry.is_new) {
        while ((found = tile.load(std::memory_order_acquire)) == kNotYet) std::this_thread::yield();
        return found;
    }
    found = add_relaxed(tile_count_, 1);
    if (at(found) < tile_keys_.size()) {
        // Atomic, because other threads may still try to exchange this key (insert()).
        tile_keys_[at(found)] = std::atomic_ref(own.key).load(std::memory_order_relaxed);
        sums_[at(found)] = {};
    } else {
        found = kNoRoom;
        std::atomic_ref(is_full_).store(1, std::memory_order_relaxed);
    }
    tile.store(found, std::memory_order_release);
    return found;
}

void HairGrid::splat(const Channel<3>& x, const Channel<3>& v, const Channel<1>& volume,
                     float largest_volume, Channel<1>& per_vertex, const TaskPool& pool) {
    units_ = GridUnits(fastest(v, pool), largest_volume);
    repeat_until_roomy([&] { give_all(x, v, volume, per_vertex, pool); });
    if (!is_full_) return;
    choose_tiles();
    std::fill_n(sums_.begin(), tile_count_, TileSums{});
    give_all(x, v, volume, per_vertex, pool);
}

float HairGrid::fastest(const Channel<3>& v, const TaskPool& pool) const {
    std::atomic<std::int32_t> most{0};  // bits: of positive floats the larger has the larger
    for_each_part(v.layout(), pool, [&](int b, int lane) {
        const std::int32_t here = bits_of(loops_->fastest(v.block(b) + lane, v.layout().rows(b)));
        std::int32_t before = most.load(std::memory_order_relaxed);
        while (before < here && !most.compare_exchange_weak(before, here)) {
        }
    });
    return from_bits(most);
}

// What the loops see of that many blocks and what they are about.
class HairGrid::Together {
public:
    // Where vertices give, and where they take.
    Together(HairGrid& grid, const Channel<3>& x, const Channel<3>& v, const Channel<1>* volume,
             Channel<1>& per_vertex)
        : grid_(grid), x_(x), v_(v), volume_(volume), per_vertex_(per_vertex) {}
    Together(HairGrid& grid, const Channel<3>& x, Channel<3>& v, Channel<1>& per_vertex)
        : grid_(grid), x_(x), v_(v), v_after_(&v), per_vertex_(per_vertex) {}

    // Calls body(blocks, count) for the blocks from `first` to before `end`, some at a time.
    template <class Body>
    void for_each(int first, int end, const Body& body) const {
        constexpr int kParts = kLanes / kGridLanes;
        GridBlock blocks[kMostTogether];
        int count = 0;
        for (int part = first * kParts; part < end * kParts; ++part) {
            blocks[count++] = block_of(part / kParts, part % kParts * kGridLanes);
            if (count < kMostTogether && part + 1 < end * kParts) continue;
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
        for (int lane = 0; lane < kGridLanes; ++lane) {
            const int strand = layout.strand_at(block, first_lane + lane);
            out.ends[lane] = strand < 0 ? 0 : static_cast<float>(layout.vertex_count(strand));
        }
        return out;
    }

    HairGrid& grid_;
    const Channel<3>&x_, &v_;
    const Channel<1>* volume_ = nullptr;
    Channel<3>* v_after_ = nullptr;
    Channel<1>& per_vertex_;
};

void HairGrid::give_all(const Channel<3>& x, const Channel<3>& v, const Channel<1>& volume,
                        Channel<1>& per_vertex, const TaskPool& pool) {
    const int blocks = x.layout().block_count();
    const int at_once = std::clamp(blocks / (4 * pool.thread_count()), 1, kMostBlocksAtOnce);
    const Together together(*this, x, v, &volume, per_vertex);
    pool.for_each((blocks + at_once - 1) / at_once, [&](int task) {
        float* const memory = thread_scratch(sizeof(PatchCache) / sizeof(float));
        PatchCache& cache = *reinterpret_cast<PatchCache*>(memory);
        cache.grid = this;
        cache.fetch = [](PatchCache& to, int entry, std::uint64_t key) {
            static_cast<HairGrid*>(to.grid)->fetch(to, entry, key);
        };
        cache.begin_anew = [](PatchCache& from, int entry) {
            static_cast<HairGrid*>(from.grid)->write_back(from, entry);
            empty_patch(from, entry);
        };
        std::fill(std::begin(cache.keys), std::end(cache.keys), kNoKey);
        cache.sums_count = 0;
        together.for_each(
            task * at_once, std::min((task + 1) * at_once, blocks),
            [&](const GridBlock* some, int count) { loops_->give(some, count, units_, cache); });
        for (int entry = 0; entry < PatchCache::kCount; ++entry)
            if (cache.keys[entry] != kNoKey) write_back(cache, entry);
    });
}

// Every tile with vertices needs those above it, which its vertices reach.
void HairGrid::fetch(PatchCache& cache, int entry, std::uint64_t key) {
    if (cache.keys[entry] == kNoKey) {
        cache.sums_of[entry] = &cache.sums[cache.sums_count++];
    } else {
        write_back(cache, entry);
    }
    empty_patch(cache, entry);
    cache.keys[entry] = key;
    std::int32_t* const above = cache.above[entry];
    bool fits = true;
    if (are_chosen_) {
        for (int c = 0; c < 8; ++c) above[c] = hash_[at(find(key_beside(key, c, 1)))].tile;
        cache.hash_slots[entry] = find(key);
        fits = hash_[at(cache.hash_slots[entry])].vertex_count > 0;
    } else {
        const Inserted own = insert(key);
        cache.hash_slots[entry] = std::max(own.slot, 0);  // crowded: nobody will count
        above[0] = made_tile(own);
        fits = above[0] >= 0;
        for (int c = 1; c < 8 && fits; ++c) {
            above[c] = std::atomic_ref(is_full_).load(std::memory_order_relaxed)
                           ? kNoRoom
                           : made_tile(insert(key_beside(key, c, 1)));
            fits = above[c] >= 0;
        }
    }
    cache.first_nodes[entry] = fits ? above[0] * kPatchNodes : PatchCache::kNoPatch;
}

void HairGrid::write_back(const PatchCache& cache, int entry) {
    if (!are_chosen_)
        add_relaxed(hash_[at(cache.hash_slots[entry])].vertex_count, cache.gifts[entry]);
    if (cache.first_nodes[entry] >= 0)
        for (int c = 0; c < 8; ++c) {
            const std::size_t tile = at(cache.above[entry][c]);
            const Lock lock(locks_[tile]);
            loops_->add_patch(*cache.sums_of[entry], c, sums_[tile]);
        }
}

// Of those with vertices, the ones with the most first: in an order that does not depend on
// who came first.
void HairGrid::choose_tiles() {
    make_room(at(touched_count_) + std::min(7 * at(touched_count_), tile_keys_.size()));
    std::vector<std::int32_t> wanted;
    for (std::int32_t k = 0; k < touched_count_; ++k) {
        HashEntry& entry = hash_[at(touched_[at(k)])];
        entry.tile = kNotYet;
        if (entry.vertex_count > 0) wanted.push_back(touched_[at(k)]);
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
            // A key without a tile is not kept: the hash has room for as many as there are tiles.
            const std::uint64_t key = key_beside(hash_[at(slot)].key, c, 1);
            fits = hash_[at(find(key))].tile >= 0 || has_room();
            if (!fits) break;
            HashEntry& entry = hash_[at(insert(key).slot)];
            if (entry.tile >= 0) continue;
            entry.tile = tile_count_++;
            tile_keys_[at(entry.tile)] = entry.key;
        }
        if (!fits) hash_[at(slot)].vertex_count = 0;
    }
    are_chosen_ = true;
}

TileAround HairGrid::around(int tile) {
    const std::uint64_t key = tile_keys_[at(tile)];
    TileAround out{&sums_[at(tile)], &densities_[at(tile) * kTileNodes], {}, {}};
    for (int axis = 0; axis < 3; ++axis)
        for (const int up : {0, 1}) {
            const std::int32_t t = hash_[at(find(key_beside(key, 1 << axis, up ? 1 : -1)))].tile;
            out.beside[axis][up] = t < 0 ? nullptr : &densities_[at(t) * kTileNodes];
        }
    for (int c = 0; c < 8; ++c) {
        const HashEntry& entry = hash_[at(find(key_beside(key, c, -1)))];
        const bool has_patch = entry.vertex_count > 0 && entry.tile >= 0;
        out.below[c] = has_patch ? &patches_[at(entry.tile) * kPatchNodes] : nullptr;
    }
    return out;
}

void HairGrid::mix(const CoupleUniforms& uniforms, const Channel<3>& x, Channel<3>& v,
                   Channel<1>& per_vertex, const TaskPool& pool) {
    pool.for_each(tile_count_, [&](int t) {
        loops_->measure(sums_[at(t)], units_, &densities_[at(t) * kTileNodes]);
    });
    pool.for_each(tile_count_, [&](int t) { loops_->answer(around(t), uniforms, units_); });
    const Together together(*this, x, v, per_vertex);
    const int blocks = x.layout().block_count();
    pool.for_each((blocks + kMostTogether - 1) / kMostTogether, [&](int task) {
        together.for_each(task * kMostTogether, std::min((task + 1) * kMostTogether, blocks),
                          [&](const GridBlock* some, int count) {
                              loops_->take(some, count, uniforms, patches_.data());
                          });
    });
}

void HairGrid::fullest(Channel<1>& per_vertex, const TaskPool& pool) {
    pool.for_each(tile_count_, [&](int t) {
        NodeAnswer nodes[kTileNodes]{};
        for (std::size_t n = 0; n < kTileNodes; ++n)
            nodes[n].density = units_.density(sums_[at(t)].volume[n]);
        publish(nodes, around(t).below);
    });
    const StrandLayout& layout = per_vertex.layout();
    pool.for_each(layout.block_count(), [&](int b) {
        float* const own = per_vertex.block(b);
        for (std::size_t k = 0; k < at(layout.rows(b)) * kLanes; ++k) {
            const std::int32_t place = bits_of(own[k]);
            float most = 0;
            for (int n = 0; n < 8 && place >= 0; ++n)
                most = std::max(most, patches_[at(place + patch_corner(n))].density);
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
