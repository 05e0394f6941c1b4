// Segments in the order they must be blended.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.h"

namespace ringlet {

struct SortItem {
    std::uint32_t key;
    std::uint32_t segment;
};

// A stable radix sort by key, ascending. Keeps its memory between calls; the outcome does not
// depend on the number of threads.
class RadixSort {
public:
    void sort(std::vector<SortItem>& items, const TaskPool& pool);

private:
    static constexpr int kDigitBits = 11;
    static constexpr int kBuckets = 1 << kDigitBits;
    static constexpr int kChunks = 8;

    void pass(const std::vector<SortItem>& from, std::vector<SortItem>& to, int shift,
              const TaskPool& pool);

    std::vector<SortItem> spare_;
    std::vector<std::uint32_t> places_;  // [chunk][bucket]
};

}  // namespace ringlet
