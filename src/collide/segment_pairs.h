// The search for segments of different strands that may touch: pairs of overlapping boxes, found by
// cells of a grid and kept until a segment leaves its box.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "math/vec3.h"

namespace ringlet {

// Empty where low > high in x.
struct Box {
    Vec3f low, high;
};

// Two boxes that are not empty overlap.
inline bool overlap(const Box& a, const Box& b) {
    // All comparisons are made, because branches on them are hard to predict.
    const bool x = (a.low.x <= b.high.x) & (b.low.x <= a.high.x);
    const bool y = (a.low.y <= b.high.y) & (b.low.y <= a.high.y);
    const bool z = (a.low.z <= b.high.z) & (b.low.z <= a.high.z);
    return x & y & z;
}

class SegmentPairs {
public:
    // Most boxes that are paired with one box as the first of the pair.
    static constexpr int kMaxPairs = 256;

    // `cell` is the size (m) of the grid's cells, about that of a box. Boxes of one group are never
    // paired; `groups` has an entry per box.
    SegmentPairs(float cell, std::vector<std::int32_t> groups);

    // Whether each box lies within the one of the last build(), so that its pairs are complete.
    bool cover(std::span<const Box> boxes) const;
    // Finds all pairs of boxes that overlap when each is enlarged by `margin` (m) on all sides. The
    // result depends on the boxes only.
    void build(std::span<const Box> boxes, float margin, const TaskPool& pool);
    // The enlarged boxes of the last build(); all empty before. build() with them and without a
    // margin restores the pairs.
    std::span<Box> built_boxes() { return boxes_; }

    // The boxes after `first` that overlap it. Valid until the next build().
    std::span<const std::int32_t> pairs_of(int first) const;
    int pair_count() const;
    std::size_t byte_count() const;

private:
    struct Cell {
        std::int32_t x, y, z;
        friend bool operator==(const Cell&, const Cell&) = default;
    };
    struct CellRange {
        Cell low, high;
    };
    Cell cell_of(Vec3f a) const;
    std::size_t bucket_of(Cell cell) const;
    std::uint64_t code_of(const Box& box, Cell cell) const;
    template <class Body>
    void for_each_cell(const CellRange& cells, const Body& body) const;
    void set_box(std::size_t index, const Box& box, float margin);
    void sort_by_cell();
    void find_pairs(int first, std::vector<std::int32_t>& out) const;
    bool meet_in(Cell cell, const Box& a, const Box& b) const;

    float cells_per_metre_;
    std::vector<std::int32_t> groups_;
    std::vector<Box> boxes_;
    std::vector<CellRange> cells_;  // that a box overlaps; none where low > high in x
    // A box has an entry in each cell that it overlaps. A bucket has the entries of some cells, in
    // the order of their boxes.
    std::vector<std::int32_t> bucket_starts_;
    std::vector<std::uint64_t> codes_;     // per entry: the part of the box in the cell (code_of)
    std::vector<std::int32_t> entry_box_;  // per entry
    // The entries of each box: where they begin, their buckets, and the entries.
    std::vector<std::int32_t> own_starts_, own_buckets_, own_entries_;
    // The pairs of kTaskSize boxes each, and where those of a box begin.
    std::vector<std::vector<std::int32_t>> pairs_;
    std::vector<std::int32_t> starts_;
};

}  // namespace ringlet
