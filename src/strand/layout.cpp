#include "strand/layout.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace ringlet {

namespace {

// Ten bits spread to every third place, for a Morton code of three coordinates.
std::uint32_t spread_bits(std::uint32_t x) {
    x = (x | (x << 16)) & 0x030000ffu;
    x = (x | (x << 8)) & 0x0300f00fu;
    x = (x | (x << 4)) & 0x030c30c3u;
    return (x | (x << 2)) & 0x09249249u;
}

// The place of each root along a space-filling curve through their bounding box.
std::vector<std::uint32_t> morton_codes(std::span<const Vec3f> roots) {
    Vec3f low = roots[0], high = roots[0];
    for (const Vec3f& p : roots) {
        low = {min(low.x, p.x), min(low.y, p.y), min(low.z, p.z)};
        high = {max(high.x, p.x), max(high.y, p.y), max(high.z, p.z)};
    }
    const float side = max(max(high.x - low.x, high.y - low.y), max(high.z - low.z, kTiny));
    const auto cell = [&](float a, float origin) {
        const float scaled = (a - origin) / side * 1023.0f;
        return spread_bits(static_cast<std::uint32_t>(min(max(scaled, 0.0f), 1023.0f)));
    };
    std::vector<std::uint32_t> codes;
    codes.reserve(roots.size());
    for (const Vec3f& p : roots)
        codes.push_back(cell(p.x, low.x) | cell(p.y, low.y) << 1 | cell(p.z, low.z) << 2);
    return codes;
}

}  // namespace

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
    places_.resize(order.size());
    strands_.assign(block_total * kLanes, -1);
    first_rows_.reserve(block_total + 1);
    for (std::size_t slot = 0; slot < order.size(); ++slot) {
        const std::int32_t strand = order[slot];
        const int count = vertex_counts_[static_cast<std::size_t>(strand)];
        RINGLET_ASSERT(count >= 1, "a strand has at least its root");
        vertex_total_ += count;
        strands_[slot] = strand;
        places_[static_cast<std::size_t>(strand)] = {static_cast<std::int32_t>(slot / kLanes),
                                                     static_cast<std::int32_t>(slot % kLanes)};
        // The first strand of a block is its longest.
        if (slot % kLanes == 0) first_rows_.push_back(first_rows_.back() + count);
    }
}

}  // namespace ringlet
