#version 450 core
// Moves the state from one stage of a round to the next. One invocation.
#include "round.glsl"
layout(local_size_x = kSingle) in;
layout(std430, binding = kSortKeyBinding) readonly buffer Keys { uint keys[]; };
// struct SortSize of sort.glsl, for the pairs.
layout(std430, binding = kPairSizeBinding) writeonly buffer PairSize { uint pair_size[4]; };

layout(location = kItemCountUniform) uniform uint slot_count;  // visible and hidden segments
layout(location = kStageUniform) uniform uint stage;

uint groups_of(uint items, uint group) { return (items + group - 1u) / group; }

// Hidden segments are sorted to the end.
uint count_visible() {
    uint low = 0u, high = slot_count;
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (keys[middle] == kHiddenKey) high = middle;
        else low = middle + 1u;
    }
    return low;
}

void begin_round() {
    round_state.next = round_state.first;
    round_state.pair_count = 0u;
    round_state.is_unfinished = 0u;
    uint is_left = round_state.first < round_state.visible ? 1u : 0u;
    uint window = window_end() - round_state.first;
    uint per_group = uint(kGroupSize) * kSegmentsPerThread;
    round_state.count_groups = uint[](groups_of(window, per_group), 1u, 1u);
    round_state.unbinned_groups = uint[](uint(tile_counts.x), uint(tile_counts.y), is_left);
}

void size_passes() {
    uint pairs = round_state.pair_count;
    pair_size = uint[](pairs, groups_of(pairs, kSortTile), 1u, 1u);
    round_state.range_groups = uint[](groups_of(pairs, uint(kIndexGroupSize)), 1u, 1u);
    round_state.tile_groups =
        uint[](uint(tile_counts.x), uint(tile_counts.y), pairs > 0u ? 1u : 0u);
}

void main() {
    if (stage == kFirstRound) {
        round_state.visible = count_visible();
        round_state.first = 0u;
        begin_round();
    } else if (stage == kNextRound) {
        round_state.first = round_state.next;
        begin_round();
    } else if (stage == kSizePasses) {
        size_passes();
    } else {
        round_state.tile_groups[2] = round_state.is_unfinished;
        round_state.unbinned_groups[2] = round_state.is_unfinished;
        round_state.is_unfinished = 0u;
    }
}
