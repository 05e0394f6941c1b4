#include "strand/layout.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"
#include "strand/morton.h"

namespace ringlet {

StrandLayout::StrandLayout(std::span<const int> vertex_counts, std::span<const Vec3f> roots) {
    RINGLET_ASSERT(roots.empty() || roots.size() == vertex_counts.size(), "one root per strand");
    vertex_counts_.assign(vertex_counts.begin(), vertex_counts.end());
    std::vector<std::int32_t> order(vertex_counts.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::uint32_t> codes(vertex_counts.size(), 0);
    if (!roots.empty()) codes = morton_codes(roots);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        const auto ia = static_cast<std::size_t>(a), ib = static_cast<std::size_t>(b);
        if (vertex_counts_[ia] != vertex_counts_[ib])
            return vertex_counts_[ia] > vertex_counts_[ib];
        if (codes[ia] != codes[ib]) return codes[ia] < codes[ib];
        return a < b;
    });

    const std::size_t block_total = (order.size() + kLanes - 1) / kLanes;
    slots_.resize(order.size());
    strands_.assign(block_total * kLanes, -1);
    first_rows_.reserve(block_total + 1);
    for (std::size_t slot = 0; slot < order.size(); ++slot) {
        const std::int32_t strand = order[slot];
        const int count = vertex_counts_[static_cast<std::size_t>(strand)];
        RINGLET_ASSERT(count >= 1, "a strand has at least its root");
        vertex_total_ += count;
        strands_[slot] = strand;
        slots_[static_cast<std::size_t>(strand)] = {static_cast<std::int32_t>(slot / kLanes),
                                                    static_cast<std::int32_t>(slot % kLanes)};
        // Strands are sorted by length, so the first strand of a block is its longest.
        if (slot % kLanes != 0) continue;
        rows_.push_back(count);
        first_rows_.push_back(first_rows_.back() + (count + 1) / 2 * 2);
    }
}

}  // namespace ringlet
