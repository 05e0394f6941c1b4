#version 450 core
// Lists the pairs of tiles and segments, in the order of the segments. The round ends before the
// first segment whose pairs do not fit.
#include "segment.glsl"
#include "round.glsl"
#include "pairs.glsl"
layout(std430, binding = kPairKeyBinding) writeonly buffer PairTiles { uint pair_tiles[]; };
layout(std430, binding = kPairValueBinding) writeonly buffer PairSegments { uint pair_segments[]; };

shared uint run_sums[kGroupSize];

void list_packed(uint segment, uint packed_tiles, uint from) {
    uint first = (packed_tiles >> 16 & 255u) * uint(tile_counts.x) + (packed_tiles >> 24);
    for (uint mask = packed_tiles & 0xffffu; mask != 0u; mask &= mask - 1u) {
        uint bit = uint(findLSB(mask)), side = uint(kPackedSide);
        pair_tiles[from] = first + bit / side * uint(tile_counts.x) + bit % side;
        pair_segments[from++] = segment;
    }
}

void list_tiles(uint segment, uint from, uint to) {
    Outline o = outline_of(segment);
    ivec4 box = tiles_of(o);
    for (int y = box.y; y <= box.w; ++y)
        for (int x = box.x; x <= box.z; ++x)
            if (from < to && is_drawn_in(o, x, y)) {
                pair_tiles[from] = uint(y * tile_counts.x + x);
                pair_segments[from++] = segment;
            }
    // The two programs may round differently. Tiles beyond the last are not drawn.
    for (; from < to; ++from) pair_tiles[from] = uint(tile_counts.x * tile_counts.y);
}

void main() {
    uint thread = gl_LocalInvocationIndex;
    uint first = (gl_WorkGroupID.x * uint(kGroupSize) + thread) * kSegmentsPerThread;
    uint start = round_state.first, end = window_end() - start;
    uint last = min(first + kSegmentsPerThread, end), sum = 0u;
    for (uint i = first; i < last; ++i) sum += counts[i].x;
    run_sums[thread] = sum;
    barrier();
    uint pair = sums[gl_WorkGroupID.x];
    for (uint left = 0u; left < thread; ++left) pair += run_sums[left];
    uint i = first;
    for (; i < last; ++i) {
        uvec2 tiles = counts[i];
        if (pair + tiles.x > pair_limit) break;
        if (tiles.y != 0u)
            list_packed(segment_at(start + i), tiles.y, pair);
        else
            list_tiles(segment_at(start + i), pair, pair + tiles.x);
        pair += tiles.x;
    }
    // Only the threads at the end of the list can hold the last segment.
    uint tile_count = uint(tile_counts.x * tile_counts.y);
    if (i > first && (i == end || i < last || pair + tile_count > pair_limit)) {
        atomicMax(round_state.next, start + i);
        atomicMax(round_state.pair_count, pair);
    }
}
