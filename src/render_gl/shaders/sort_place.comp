#version 450 core
// Puts the items of a tile in their places. A thread's items follow one another and threads are
// summed in order, so equal digits keep their order.
#include "sort.glsl"
layout(std430, binding = 0) readonly buffer Keys { uint keys[]; };
layout(std430, binding = 1) readonly buffer Segments { uint segments[]; };
layout(std430, binding = 3) writeonly buffer SortedKeys { uint sorted_keys[]; };
layout(std430, binding = 4) writeonly buffer SortedSegments { uint sorted_segments[]; };

shared uint places[kDigits * kThreads];  // [digit][thread]: items before the thread's first
const uint kRuns = kThreads / kDigits;
shared uint sums[kThreads], run_sums[kRuns];
shared uint starts[kDigits];  // of a digit among all items, for this tile

// Exclusive sums over all of `places`, in three steps: of kDigits neighbours by each thread, of
// kDigits such sums by a few threads, and of those by one. Few steps, for each ends in a barrier.
void sum_places(uint thread) {
    uint sum = 0u;
    for (uint k = 0u; k < kDigits; ++k) {
        uint count = places[thread * kDigits + k];
        places[thread * kDigits + k] = sum;
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
    for (uint k = 0u; k < kDigits; ++k) places[thread * kDigits + k] += before;
    barrier();
}

void main() {
    uint thread = gl_LocalInvocationIndex;
    uint first = gl_WorkGroupID.x * kTile + thread * kItemsPerThread;
    uint last = min(first + kItemsPerThread, item_count);
    for (uint digit = 0u; digit < kDigits; ++digit) places[digit * kThreads + thread] = 0u;
    for (uint i = first; i < last; ++i) ++places[digit_of(keys[i]) * kThreads + thread];
    barrier();
    sum_places(thread);
    if (thread < kDigits) {
        uint start = 0u;
        for (uint digit = 0u; digit < thread; ++digit)
            start += counts[kDigits * tile_count + digit];
        starts[thread] = start + counts[thread * tile_count + gl_WorkGroupID.x] -
                         places[thread * kThreads];
    }
    barrier();
    // The first thread's own entries were read above and move from here on.
    for (uint i = first; i < last; ++i) {
        uint key = keys[i], digit = digit_of(key);
        uint place = starts[digit] + places[digit * kThreads + thread]++;
        sorted_keys[place] = key;
        sorted_segments[place] = segments[i];
    }
}
