// The part of HairGrid that exchanges tiles between the ranks that share the strands
// (strand/strand_division.h). Sums are integers, so it does not matter who adds them.
//
// Ranks whose tiles are close tell each other their keys. The first rank that has a tile is its
// home: the others send it their sums. It sends the totals back, and the volumes to those ranks
// that have a tile next to it: they need these for the gradient of the density. If all ranks
// together have more tiles than there is room for, each learns the vertex counts and the sums of
// all tiles; this is rare.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "collide/hair_grid.h"

namespace ringlet {

namespace {

using Coordinates = std::array<std::int32_t, 3>;

Coordinates coordinates_of(std::uint64_t key) {
    constexpr std::uint64_t mask = (1 << 21) - 1;
    return {static_cast<std::int32_t>(key >> 42), static_cast<std::int32_t>(key >> 21 & mask),
            static_cast<std::int32_t>(key & mask)};
}

// Describes the tiles of a rank to all others.
struct TileSummary {
    // The box of their coordinates.
    Coordinates low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
    std::int32_t tile_count = 0;
    std::int32_t is_full = 0;

    static constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max() / 2;

    // Whether a tile of one rank is or may be next to a tile of the other.
    bool is_near(const TileSummary& other) const {
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (low[axis] - 1 > other.high[axis] || other.low[axis] - 1 > high[axis]) return false;
        return true;
    }
};

// The sums of a tile, and its volumes alone.
struct SentSums {
    std::uint64_t key;
    TileSums sums;
};
struct SentVolumes {
    std::uint64_t key;
    std::int64_t volume[kTileNodes];
};
// A parcel of totals: this header, then `sums` SentSums, then `volumes` SentVolumes.
struct TotalsHeader {
    std::int64_t sums = 0, volumes = 0;
};

struct KeyCount {
    std::uint64_t key;
    std::int64_t vertices;
};

template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
    const auto more = std::as_bytes(std::span(&value, 1));
    bytes.insert(bytes.end(), more.begin(), more.end());
}

// Calls action(value) for `count` values that begin at `from`, and moves `from` behind them.
template <class T, class Action>
void for_each_value(const std::byte*& from, std::int64_t count, const Action& action) {
    for (std::int64_t k = 0; k < count; ++k, from += sizeof(T)) {
        T value;
        std::memcpy(&value, from, sizeof value);
        action(value);
    }
}
template <class T, class Action>
void for_each_value(const Parcel& parcel, const Action& action) {
    const std::byte* from = parcel.bytes.data();
    for_each_value<T>(from, static_cast<std::int64_t>(parcel.bytes.size() / sizeof(T)), action);
}

std::size_t to_index(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

std::int32_t HairGrid::maximum_over_ranks(std::int32_t own) const {
    std::int64_t of_all = own;
    if (is_shared()) division_.sharers()->maximum({&of_all, 1});
    return static_cast<std::int32_t>(of_all);
}

bool HairGrid::exchange(Tiles& tiles) {
    clear();
    reserve_keys(tiles.keys.size());
    for (std::size_t k = 0; k < tiles.keys.size(); ++k)
        sums_[to_index(find_or_create_tile(insert(tiles.keys[k])))] = tiles.sums[k];
    tiles_are_full_ = tiles.fit ? 0 : 1;
    exchange_tiles();
    if (tiles_are_full_) return false;
    tiles.keys.assign(tile_keys_.begin(), tile_keys_.begin() + tile_count_);
    tiles.sums.assign(sums_.begin(), sums_.begin() + tile_count_);
    return true;
}

void HairGrid::exchange_tiles() {
    Ranks& ranks = *division_.sharers();
    TileSummary own;
    own.tile_count = std::min(tile_count_, tile_limit());
    own.is_full = tiles_are_full_;
    const std::span<const std::uint64_t> keys(tile_keys_.data(), to_index(own.tile_count));
    for (const std::uint64_t key : keys) {
        const Coordinates here = coordinates_of(key);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            own.low[axis] = std::min(own.low[axis], here[axis]);
            own.high[axis] = std::max(own.high[axis], here[axis]);
        }
    }
    std::vector<TileSummary> all(to_index(ranks.count()));
    ranks.gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)));
    std::int64_t total = 0;
    for (const TileSummary& one : all) {
        tiles_are_full_ |= one.is_full;
        total += one.tile_count;
    }
    if (tiles_are_full_) return;

    std::vector<Parcel> parcels;
    const auto key_bytes = std::as_bytes(keys);
    for (int rank = 0; rank < ranks.count(); ++rank)
        if (rank != ranks.rank() && own.is_near(all[to_index(rank)]))
            parcels.push_back({rank, {key_bytes.begin(), key_bytes.end()}});
    const std::vector<Parcel> theirs = ranks.exchange(parcels);
    const std::vector<int> homes = homes_of_tiles(theirs);
    if (total > tile_limit()) {
        total = std::ranges::count(homes, ranks.rank());
        ranks.sum({&total, 1});
        tiles_are_full_ = total > tile_limit() ? 1 : 0;
        if (tiles_are_full_) return;
    }
    parcels.clear();
    for (const Parcel& one : theirs) parcels.push_back(sums_for_home(one.rank, homes));
    for (const Parcel& sums : ranks.exchange(parcels)) add_sums(sums);
    parcels.clear();
    for (const Parcel& one : theirs) parcels.push_back(totals_for(one, homes));
    for (const Parcel& totals : ranks.exchange(parcels)) store_totals(totals);
}

// The first rank that has each tile.
std::vector<int> HairGrid::homes_of_tiles(std::span<const Parcel> keys_of_others) const {
    std::vector<int> out(to_index(tile_count_), division_.sharers()->rank());
    for (const Parcel& parcel : keys_of_others)
        for_each_value<std::uint64_t>(parcel, [&](std::uint64_t key) {
            const std::int32_t tile = hash_[to_index(find(key))].tile;
            if (tile >= 0) out[to_index(tile)] = std::min(out[to_index(tile)], parcel.rank);
        });
    return out;
}

Parcel HairGrid::sums_for_home(int rank, std::span<const int> homes) const {
    Parcel out{rank, {}};
    for (std::size_t tile = 0; tile < homes.size(); ++tile)
        if (homes[tile] == rank) append(out.bytes, SentSums{tile_keys_[tile], sums_[tile]});
    return out;
}

void HairGrid::add_sums(const Parcel& parcel) {
    for_each_value<SentSums>(parcel, [&](const SentSums& sent) {
        TileSums& to = sums_[to_index(hash_[to_index(find(sent.key))].tile)];
        for (std::size_t n = 0; n < kTileNodes; ++n) {
            for (std::size_t k = 0; k < 4; ++k)
                to.momentum_mass[n][k] += sent.sums.momentum_mass[n][k];
            to.volume[n] += sent.sums.volume[n];
        }
    });
}

// The totals and volumes that a rank with these tiles needs of those whose home this rank is.
Parcel HairGrid::totals_for(const Parcel& keys, std::span<const int> homes) const {
    enum Need : char { none, volumes, sums };
    std::vector<char> needs(homes.size(), none);
    const auto add_need = [&](std::uint64_t key, Need what) {
        const std::int32_t tile = hash_[to_index(find(key))].tile;
        if (tile < 0 || homes[to_index(tile)] != division_.sharers()->rank()) return;
        needs[to_index(tile)] = std::max<char>(needs[to_index(tile)], what);
    };
    for_each_value<std::uint64_t>(keys, [&](std::uint64_t key) {
        add_need(key, sums);
        for (const int step : {-1, 1}) {
            add_need(moved_key(key, step, 0, 0), volumes);
            add_need(moved_key(key, 0, step, 0), volumes);
            add_need(moved_key(key, 0, 0, step), volumes);
        }
    });
    Parcel out{keys.rank, {}};
    append(out.bytes,
           TotalsHeader{std::ranges::count(needs, sums), std::ranges::count(needs, volumes)});
    for (std::size_t tile = 0; tile < needs.size(); ++tile)
        if (needs[tile] == sums) append(out.bytes, SentSums{tile_keys_[tile], sums_[tile]});
    for (std::size_t tile = 0; tile < needs.size(); ++tile) {
        if (needs[tile] != volumes) continue;
        SentVolumes sent{tile_keys_[tile], {}};
        std::ranges::copy(sums_[tile].volume, sent.volume);
        append(out.bytes, sent);
    }
    return out;
}

void HairGrid::store_totals(const Parcel& parcel) {
    TotalsHeader header;
    std::memcpy(&header, parcel.bytes.data(), sizeof header);
    const std::byte* from = parcel.bytes.data() + sizeof header;
    for_each_value<SentSums>(from, header.sums, [&](const SentSums& sent) {
        sums_[to_index(hash_[to_index(find(sent.key))].tile)] = sent.sums;
    });
    reserve_keys(to_index(used_count_) + static_cast<std::size_t>(header.volumes));
    for_each_value<SentVolumes>(from, header.volumes, [&](const SentVolumes& sent) {
        TileSums& to = sums_[to_index(find_or_create_tile(insert(sent.key)))];
        std::ranges::copy(sent.volume, to.volume);
    });
}

// Prepares choose_tiles(), which then chooses the same tiles on all ranks.
void HairGrid::add_vertex_counts_of_others() {
    Ranks& ranks = *division_.sharers();
    std::vector<std::byte> own;
    for (std::int32_t k = 0; k < used_count_; ++k)
        if (const HashEntry& entry = hash_[to_index(used_slots_[to_index(k)])];
            entry.vertex_count > 0)
            append(own, KeyCount{entry.key, entry.vertex_count});
    std::vector<Parcel> parcels;
    for (int rank = 0; rank < ranks.count(); ++rank)
        if (rank != ranks.rank()) parcels.push_back({rank, own});
    for (const Parcel& parcel : ranks.exchange(parcels)) {
        reserve_keys(to_index(used_count_) + parcel.bytes.size() / sizeof(KeyCount));
        for_each_value<KeyCount>(parcel, [&](const KeyCount& more) {
            hash_[to_index(insert(more.key).slot)].vertex_count +=
                static_cast<std::int32_t>(more.vertices);
        });
    }
}

// All ranks have the same tiles with the same numbers.
void HairGrid::add_all_sums_of_others() {
    static_assert(sizeof(TileSums) == 5 * kTileNodes * sizeof(std::int64_t));
    if (tile_count_ == 0) return;
    division_.sharers()->sum(
        {&sums_[0].momentum_mass[0][0], to_index(tile_count_) * (sizeof(TileSums) / 8)});
}

}  // namespace ringlet
