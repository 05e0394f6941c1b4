#version 450 core
// Counts the tiles that each segment of the window touches, and sums the counts per workgroup.
#include "segment.glsl"
#include "round.glsl"
#include "pairs.glsl"
layout(std430, binding = kPairCountBinding) writeonly buffer Counts { uint counts[]; };

shared uint total;

uint count_tiles(uint segment) {
    Outline o = outline_of(segment);
    ivec4 box = tiles_of(o);
    uint count = 0u;
    for (int y = box.y; y <= box.w; ++y)
        for (int x = box.x; x <= box.z; ++x) count += is_drawn_in(o, x, y) ? 1u : 0u;
    return count;
}

void main() {
    uint thread = gl_LocalInvocationIndex;
    if (thread == 0u) total = 0u;
    barrier();
    uint first = (gl_WorkGroupID.x * uint(kGroupSize) + thread) * kSegmentsPerThread;
    uint start = round_state.first, end = window_end() - start, sum = 0u;
    for (uint i = first; i < min(first + kSegmentsPerThread, end); ++i) {
        uint count = count_tiles(segment_at(start + i));
        counts[i] = count;
        sum += count;
    }
    atomicAdd(total, sum);
    barrier();
    if (thread == 0u) sums[gl_WorkGroupID.x] = total;
}
