#version 450 core
// Counts the tiles that each segment of the window touches, and sums the counts per workgroup.
#include "segment.glsl"
#include "round.glsl"
#include "pairs.glsl"
shared uint total;

uvec2 count_tiles(uint segment) {
    Outline o = outline_of(segment);
    ivec4 box = tiles_of(o);
    uint count = 0u, mask = 0u;
    for (int y = box.y; y <= box.w; ++y)
        for (int x = box.x; x <= box.z; ++x)
            if (is_drawn_in(o, x, y)) {
                ++count;
                mask |= 1u << ((y - box.y) * kPackedSide + x - box.x & 15);
            }
    bool is_packed = all(lessThan(box.zw - box.xy, ivec2(kPackedSide))) &&
                     all(lessThan(box.xy, ivec2(256)));
    return uvec2(count, is_packed ? uint(box.x) << 24 | uint(box.y) << 16 | mask : 0u);
}

void main() {
    uint thread = gl_LocalInvocationIndex;
    if (thread == 0u) total = 0u;
    barrier();
    uint first = (gl_WorkGroupID.x * uint(kGroupSize) + thread) * kSegmentsPerThread;
    uint start = round_state.first, end = window_end() - start, sum = 0u;
    for (uint i = first; i < min(first + kSegmentsPerThread, end); ++i) {
        uvec2 tiles = count_tiles(segment_at(start + i));
        counts[i] = tiles;
        sum += tiles.x;
    }
    atomicAdd(total, sum);
    barrier();
    if (thread == 0u) sums[gl_WorkGroupID.x] = total;
}
