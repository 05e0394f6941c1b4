#include "render_gl/strand_sort.h"

#include <algorithm>

namespace ringlet {

void RadixSort::pass(const std::vector<SortItem>& from, std::vector<SortItem>& to, int shift,
                     const TaskPool& pool) {
    const std::size_t chunk_size = (from.size() + kChunks - 1) / kChunks;
    const auto bucket_of = [shift](SortItem item) {
        return (item.key >> shift) & static_cast<std::uint32_t>(kBuckets - 1);
    };
    const auto chunk = [&](int i, auto&& visit) {
        const std::size_t first = std::min(static_cast<std::size_t>(i) * chunk_size, from.size());
        const std::size_t last = std::min(first + chunk_size, from.size());
        std::uint32_t* places = &places_[static_cast<std::size_t>(i) * kBuckets];
        for (std::size_t at = first; at < last; ++at) visit(from[at], places);
    };
    places_.assign(static_cast<std::size_t>(kChunks) * kBuckets, 0);
    pool.for_each(kChunks, [&](int i) {
        chunk(i, [&](SortItem item, std::uint32_t* places) { ++places[bucket_of(item)]; });
    });
    std::uint32_t next = 0;
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket)
        for (std::size_t i = 0; i < kChunks; ++i) {
            std::uint32_t& place = places_[i * kBuckets + bucket];
            const std::uint32_t count = place;
            place = next;
            next += count;
        }
    pool.for_each(kChunks, [&](int i) {
        chunk(i,
              [&](SortItem item, std::uint32_t* places) { to[places[bucket_of(item)]++] = item; });
    });
}

void RadixSort::sort(std::vector<SortItem>& items, const TaskPool& pool) {
    spare_.resize(items.size());
    for (int shift = 0; shift < 32; shift += kDigitBits) {
        pass(items, spare_, shift, pool);
        items.swap(spare_);
    }
}

}  // namespace ringlet
