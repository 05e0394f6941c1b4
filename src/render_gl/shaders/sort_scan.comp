#version 450 core
// Sums the counts of one digit over the tiles before each. One workgroup per digit.
#include "sort.glsl"

shared uint sums[kThreads];

void main() {
    uint thread = gl_LocalInvocationIndex, row = gl_WorkGroupID.x * tile_count;
    uint before = 0u;
    for (uint first = 0u; first < tile_count; first += kThreads) {
        uint tile = first + thread;
        uint count = tile < tile_count ? counts[row + tile] : 0u;
        sums[thread] = count;
        for (uint reach = 1u; reach < kThreads; reach *= 2u) {
            barrier();
            uint left = thread >= reach ? sums[thread - reach] : 0u;
            barrier();
            sums[thread] += left;
        }
        barrier();
        if (tile < tile_count) counts[row + tile] = before + sums[thread] - count;
        before += sums[kThreads - 1u];
        barrier();
    }
    if (thread == 0u) counts[kDigits * tile_count + gl_WorkGroupID.x] = before;
}
