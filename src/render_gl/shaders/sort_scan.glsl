// Exclusive prefix sums of the counts of one digit over the tiles. One workgroup per digit, a run
// of tiles per thread. Needs sort.glsl and sum_before.glsl before it.
void main() {
    uint tile_count = tiles_of(item_count);
    uint thread = gl_LocalInvocationIndex, row = gl_WorkGroupID.x * tile_count;
    uint each = (tile_count + kThreads - 1u) / kThreads;
    uint first = row + min(thread * each, tile_count);
    uint last = row + min((thread + 1u) * each, tile_count);
    uint sum = 0u;
    for (uint i = first; i < last; ++i) sum += counts[i];
    uint before = sum_before(sum);
    for (uint i = first; i < last; ++i) {
        uint count = counts[i];
        counts[i] = before;
        before += count;
    }
    if (thread == kThreads - 1u) counts[kDigits * tile_count + gl_WorkGroupID.x] = before;
}
