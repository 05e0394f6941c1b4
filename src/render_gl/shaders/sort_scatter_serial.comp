#version 450 core
// Scatters the items of a tile to their sorted positions, for software renderers. A thread's items are consecutive and the
// threads are summed in order, so items with equal digits keep their order.
#include "sort_serial.glsl"
#include "sort.glsl"
layout(std430, binding = kSortKeyBinding) readonly buffer Keys { uint keys[]; };
layout(std430, binding = kSortSegmentBinding) readonly buffer Segments { uint segments[]; };
layout(std430, binding = kSortedKeyBinding) writeonly buffer SortedKeys { uint sorted_keys[]; };
layout(std430, binding = kSortedSegmentBinding) writeonly buffer SortedSegments {
    uint sorted_segments[];
};

shared uint offsets[kDigits * kThreads];  // [digit][thread]: items before the thread's first
const uint kRuns = kThreads / kDigits;
shared uint sums[kThreads], run_sums[kRuns];
shared uint starts[kDigits];  // position of this tile's first item of each digit

// Exclusive prefix sums over `offsets` in three steps: each thread sums kDigits neighbours, a few
// threads sum kDigits of those, and one sums the rest. Every step costs a barrier.
void sum_offsets(uint thread) {
    uint sum = 0u;
    for (uint k = 0u; k < kDigits; ++k) {
        uint count = offsets[thread * kDigits + k];
        offsets[thread * kDigits + k] = sum;
        sum += count;
    }
    sums[thread] = sum;
    barrier();
    if (thread < kRuns) {
        sum = 0u;
        for (uint k = 0u; k < kDigits; ++k) {
            uint count = sums[thread * kDigits + k];
            sums[thread * kDigits + k] = sum;
            sum += count;
        }
        run_sums[thread] = sum;
    }
    barrier();
    uint before = sums[thread];
    for (uint run = 0u; run < thread / kDigits; ++run) before += run_sums[run];
    for (uint k = 0u; k < kDigits; ++k) offsets[thread * kDigits + k] += before;
    barrier();
}

void main() {
    uint thread = gl_LocalInvocationIndex, items = item_count, tile_count = tiles_of(items);
    uint first = gl_WorkGroupID.x * kSortTile + thread * kItemsPerThread;
    uint last = min(first + kItemsPerThread, items);
    for (uint digit = 0u; digit < kDigits; ++digit) offsets[digit * kThreads + thread] = 0u;
    for (uint i = first; i < last; ++i) ++offsets[digit_of(keys[i]) * kThreads + thread];
    barrier();
    sum_offsets(thread);
    if (thread < kDigits) {
        uint start = 0u;
        for (uint digit = 0u; digit < thread; ++digit)
            start += counts[kDigits * tile_count + digit];
        starts[thread] = start + counts[thread * tile_count + gl_WorkGroupID.x] -
                         offsets[thread * kThreads];
    }
    barrier();
    // From here on each thread advances its own entries of `offsets`.
    for (uint i = first; i < last; ++i) {
        uint key = keys[i], digit = digit_of(key);
        uint position = starts[digit] + offsets[digit * kThreads + thread]++;
        sorted_keys[position] = key;
        sorted_segments[position] = segments[i];
    }
}
