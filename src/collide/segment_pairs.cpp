#include "collide/segment_pairs.h"

#include <algorithm>
#include <bit>

namespace ringlet {

namespace {

// Boxes per task of a parallel loop.
constexpr int kTaskSize = 64;
// m; boxes beyond are not paired.
constexpr float kMaxReach = 1e4f;

bool is_empty(const Box& box) { return box.low.x > box.high.x; }

bool is_within(const Box& a, const Box& b) {
    return a.low.x >= b.low.x && a.low.y >= b.low.y && a.low.z >= b.low.z && a.high.x <= b.high.x &&
           a.high.y <= b.high.y && a.high.z <= b.high.z;
}

// A box within a cell as six numbers of 9 bits: its low corner, then the distances of its high
// corner from that of the cell. Each has a tenth bit, which is 0.
constexpr int kFieldBits = 10, kHalfBits = 3 * kFieldBits;
constexpr int kSteps = 512;  // per cell and axis
constexpr std::uint64_t kOnes = 1ull | 1ull << kFieldBits | 1ull << 2 * kFieldBits |
                                1ull << kHalfBits | 1ull << (kHalfBits + kFieldBits) |
                                1ull << (kHalfBits + 2 * kFieldBits);
constexpr std::uint64_t kFull = kOnes * (kSteps - 1), kTenthBits = kOnes * kSteps;

// The largest code that boxes that overlap the box have, in each field, with all tenth bits set.
std::uint64_t limits_of(std::uint64_t code) {
    constexpr std::uint64_t kHalf = (1ull << kHalfBits) - 1;
    return (kFull - ((code & kHalf) << kHalfBits | code >> kHalfBits)) | kTenthBits;
}

// No field is larger than its limit: the subtraction then borrows none of the tenth bits.
bool is_below(std::uint64_t code, std::uint64_t limits) {
    return ((limits - code) & kTenthBits) == kTenthBits;
}

bool is_in_reach(const Box& a) {
    const auto in_reach = [](Vec3f p) { return dot(p, p) < kMaxReach * kMaxReach; };
    return in_reach(a.low) && in_reach(a.high);
}

}  // namespace

SegmentPairs::SegmentPairs(float cell, std::vector<std::int32_t> groups)
    : cells_per_metre_(1 / cell), groups_(std::move(groups)) {
    const std::size_t count = groups_.size();
    boxes_.assign(count, {{1, 0, 0}, {0, 0, 0}});
    cells_.resize(count);
    bucket_starts_.resize(2 * std::bit_ceil(count + 1) + 1);
    pairs_.resize((count + kTaskSize - 1) / kTaskSize);
    starts_.resize(count + 1);
    own_starts_.resize(count + 1);
}

bool SegmentPairs::cover(std::span<const Box> boxes) const {
    for (std::size_t k = 0; k < boxes.size(); ++k)
        if (!is_empty(boxes[k]) && !is_within(boxes[k], boxes_[k])) return false;
    return true;
}

SegmentPairs::Cell SegmentPairs::cell_of(Vec3f a) const {
    const auto index = [&](float at) {
        const float scaled = at * cells_per_metre_;
        const auto down = static_cast<std::int32_t>(scaled);
        return down - (static_cast<float>(down) > scaled ? 1 : 0);
    };
    return {index(a.x), index(a.y), index(a.z)};
}

std::size_t SegmentPairs::bucket_of(Cell cell) const {
    std::uint32_t key = static_cast<std::uint32_t>(cell.x) * 0x9e3779b1u;
    key = (key ^ static_cast<std::uint32_t>(cell.y)) * 0x85ebca6bu;
    key = (key ^ static_cast<std::uint32_t>(cell.z)) * 0xc2b2ae35u;
    return (key ^ key >> 15) & (bucket_starts_.size() - 2);
}

std::uint64_t SegmentPairs::code_of(const Box& box, Cell cell) const {
    const auto step = [&](float at, std::int32_t index) {
        const float within = (at * cells_per_metre_ - static_cast<float>(index)) * kSteps;
        return static_cast<std::uint64_t>(min(max(within, 0.0f), kSteps - 1.0f));
    };
    std::uint64_t out = 0;
    const auto add = [&](float low, float high, std::int32_t index, int axis) {
        out |= step(low, index) << axis * kFieldBits;
        out |= (kSteps - 1 - step(high, index)) << (kHalfBits + axis * kFieldBits);
    };
    add(box.low.x, box.high.x, cell.x, 0);
    add(box.low.y, box.high.y, cell.y, 1);
    add(box.low.z, box.high.z, cell.z, 2);
    return out;
}

template <class Body>
void SegmentPairs::for_each_cell(const CellRange& cells, const Body& body) const {
    for (std::int32_t z = cells.low.z; z <= cells.high.z; ++z)
        for (std::int32_t y = cells.low.y; y <= cells.high.y; ++y)
            for (std::int32_t x = cells.low.x; x <= cells.high.x; ++x) body(Cell{x, y, z});
}

void SegmentPairs::set_box(std::size_t index, const Box& box, float margin) {
    const Vec3f more = {margin, margin, margin};
    const bool is_used = !is_empty(box) && is_in_reach(box);
    boxes_[index] = is_empty(box) ? box : Box{box.low - more, box.high + more};
    cells_[index] = is_used ? CellRange{cell_of(boxes_[index].low), cell_of(boxes_[index].high)}
                            : CellRange{{1, 1, 1}, {0, 0, 0}};
}

// Counting sort.
void SegmentPairs::sort_by_cell() {
    std::fill(bucket_starts_.begin(), bucket_starts_.end(), 0);
    own_buckets_.clear();
    for (std::size_t k = 0; k < cells_.size(); ++k) {
        own_starts_[k] = static_cast<std::int32_t>(own_buckets_.size());
        for_each_cell(cells_[k], [&](Cell cell) {
            const std::size_t bucket = bucket_of(cell);
            ++bucket_starts_[bucket];
            own_buckets_.push_back(static_cast<std::int32_t>(bucket));
        });
    }
    own_starts_.back() = static_cast<std::int32_t>(own_buckets_.size());
    std::int32_t total = 0;
    for (std::int32_t& start : bucket_starts_) start = total += start;
    codes_.resize(own_buckets_.size());
    entry_box_.resize(own_buckets_.size());
    own_entries_.resize(own_buckets_.size());
    for (std::size_t k = boxes_.size(); k-- > 0;) {
        auto own = static_cast<std::size_t>(own_starts_[k]);
        for_each_cell(cells_[k], [&](Cell cell) {
            const std::int32_t entry =
                --bucket_starts_[static_cast<std::size_t>(own_buckets_[own])];
            codes_[static_cast<std::size_t>(entry)] = code_of(boxes_[k], cell);
            entry_box_[static_cast<std::size_t>(entry)] = static_cast<std::int32_t>(k);
            own_entries_[own++] = entry;
        });
    }
}

// Two boxes overlap, and the lowest corner of the overlap is in a cell: a pair that shares several
// cells is found in that one.
bool SegmentPairs::meet_in(Cell cell, const Box& a, const Box& b) const {
    const Vec3f corner = {max(a.low.x, b.low.x), max(a.low.y, b.low.y), max(a.low.z, b.low.z)};
    return overlap(a, b) && cell_of(corner) == cell;
}

void SegmentPairs::find_pairs(int first, std::vector<std::int32_t>& out) const {
    const auto at = static_cast<std::size_t>(first);
    const auto begin = static_cast<std::ptrdiff_t>(out.size());
    auto own = static_cast<std::size_t>(own_starts_[at]);
    for_each_cell(cells_[at], [&](Cell cell) {
        const auto entry = static_cast<std::size_t>(own_entries_[own]);
        const auto bucket = static_cast<std::size_t>(own_buckets_[own++]);
        const auto end = static_cast<std::size_t>(bucket_starts_[bucket + 1]);
        const std::uint64_t limits = limits_of(codes_[entry]);
        for (std::size_t k = entry + 1; k < end; ++k) {
            if (!is_below(codes_[k], limits)) continue;
            const std::int32_t other = entry_box_[k];
            const auto i = static_cast<std::size_t>(other);
            if (groups_[i] != groups_[at] && meet_in(cell, boxes_[at], boxes_[i]))
                out.push_back(other);
        }
    });
    // A bucket may have several cells of a box.
    std::sort(out.begin() + begin, out.end());
    out.erase(std::unique(out.begin() + begin, out.end()), out.end());
    out.resize(std::min(out.size(), static_cast<std::size_t>(begin) + kMaxPairs));
}

void SegmentPairs::build(std::span<const Box> boxes, float margin, const TaskPool& pool) {
    for (std::size_t k = 0; k < boxes.size(); ++k) set_box(k, boxes[k], margin);
    sort_by_cell();
    const int count = static_cast<int>(boxes_.size());
    pool.for_each(static_cast<int>(pairs_.size()), [&](int task) {
        std::vector<std::int32_t>& out = pairs_[static_cast<std::size_t>(task)];
        out.clear();
        for (int k = task * kTaskSize; k < std::min((task + 1) * kTaskSize, count); ++k) {
            starts_[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(out.size());
            find_pairs(k, out);
        }
    });
}

std::span<const std::int32_t> SegmentPairs::pairs_of(int first) const {
    const std::vector<std::int32_t>& all = pairs_[static_cast<std::size_t>(first / kTaskSize)];
    const auto begin = static_cast<std::size_t>(starts_[static_cast<std::size_t>(first)]);
    const bool is_last =
        (first + 1) % kTaskSize == 0 || static_cast<std::size_t>(first) + 1 == boxes_.size();
    const std::size_t end =
        is_last ? all.size()
                : static_cast<std::size_t>(starts_[static_cast<std::size_t>(first) + 1]);
    return std::span(all).subspan(begin, end - begin);
}

int SegmentPairs::pair_count() const {
    std::size_t total = 0;
    for (const std::vector<std::int32_t>& pairs : pairs_) total += pairs.size();
    return static_cast<int>(total);
}

std::size_t SegmentPairs::byte_count() const {
    std::size_t total = boxes_.capacity() * (sizeof(Box) + sizeof(CellRange)) +
                        codes_.capacity() * (sizeof(std::uint64_t) + 3 * sizeof(std::int32_t)) +
                        (groups_.capacity() + bucket_starts_.capacity() + 2 * starts_.capacity()) *
                            sizeof(std::int32_t);
    for (const std::vector<std::int32_t>& pairs : pairs_)
        total += pairs.capacity() * sizeof(std::int32_t);
    return total;
}

}  // namespace ringlet
