#version 450 core
// Exclusive prefix sums of the counts of one digit over the tiles. One workgroup per digit, a run
// of tiles per thread.
#include "sort.glsl"

shared uint sums[kThreads];

void main() {
    uint tile_count = tiles_of(item_count);
    uint thread = gl_LocalInvocationIndex, row = gl_WorkGroupID.x * tile_count;
    uint each = (tile_count + kThreads - 1u) / kThreads;
    uint first = row + min(thread * each, tile_count);
    uint last = row + min((thread + 1u) * each, tile_count);
    uint sum = 0u;
    for (uint i = first; i < last; ++i) sum += counts[i];
    sums[thread] = sum;
    barrier();
    uint before = 0u;
    for (uint left = 0u; left < thread; ++left) before += sums[left];
    for (uint i = first; i < last; ++i) {
        uint count = counts[i];
        counts[i] = before;
        before += count;
    }
    if (thread == kThreads - 1u) counts[kDigits * tile_count + gl_WorkGroupID.x] = before;
}
