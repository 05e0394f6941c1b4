#version 450 core
// Scatters the items of a tile to their sorted positions, for GPUs. Each step takes one item per
// invocation. Each group of 32 invocations marks in a bit mask per digit which of them have it; the
// bits below its own tell an invocation how many equal digits precede it, so the sort is stable.
#include "sort_parallel.glsl"
#include "sort.glsl"
#include "sum_before.glsl"
layout(std430, binding = kSortKeyBinding) readonly buffer Keys { uint keys[]; };
layout(std430, binding = kSortSegmentBinding) readonly buffer Segments { uint segments[]; };
layout(std430, binding = kSortedKeyBinding) writeonly buffer SortedKeys { uint sorted_keys[]; };
layout(std430, binding = kSortedSegmentBinding) writeonly buffer SortedSegments {
    uint sorted_segments[];
};

const uint kMaskGroups = kThreads / 32u;
shared uint masks[kMaskGroups * kDigits];  // [group of 32 invocations][digit]
shared uint next[kDigits];                 // position of the next item of each digit

// The items with this digit in the groups before `end`.
uint count_items(uint digit, uint end) {
    uint count = 0u;
    for (uint group = 0u; group < end; ++group)
        count += uint(bitCount(masks[group * kDigits + digit]));
    return count;
}

void clear_masks(uint digit) {
    for (uint group = 0u; group < kMaskGroups; ++group) masks[group * kDigits + digit] = 0u;
}

// Each invocation prepares one digit: there are as many.
void begin(uint digit) {
    uint tile_count = tiles_of(item_count);
    uint before = sum_before(counts[kDigits * tile_count + digit]);
    next[digit] = before + counts[digit * tile_count + gl_WorkGroupID.x];
    clear_masks(digit);
}

void main() {
    uint thread = gl_LocalInvocationIndex, items = item_count;
    uint first = gl_WorkGroupID.x * kSortTile + thread;
    uint own_keys[kItemsPerThread], own_segments[kItemsPerThread];
    for (uint k = 0u; k < kItemsPerThread; ++k) {
        uint i = min(first + k * kThreads, items - 1u);
        own_keys[k] = keys[i];
        own_segments[k] = segments[i];
    }
    begin(thread);
    uint group = thread / 32u, bit = 1u << thread % 32u;
    for (uint k = 0u; k < kItemsPerThread; ++k) {
        uint digit = digit_of(own_keys[k]);
        bool is_item = first + k * kThreads < items;
        barrier();
        if (is_item) atomicOr(masks[group * kDigits + digit], bit);
        barrier();
        uint before = uint(bitCount(masks[group * kDigits + digit] & bit - 1u));
        uint position = next[digit] + count_items(digit, group) + before;
        barrier();
        if (is_item) {
            sorted_keys[position] = own_keys[k];
            sorted_segments[position] = own_segments[k];
        }
        next[thread] += count_items(thread, kMaskGroups);
        clear_masks(thread);
    }
}
