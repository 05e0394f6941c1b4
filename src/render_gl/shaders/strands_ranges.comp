#version 450 core
// Finds the range of each tile in the sorted pairs.
#include "round.glsl"
layout(local_size_x = kIndexGroupSize) in;
layout(std430, binding = kPairKeyBinding) readonly buffer PairTiles { uint pair_tiles[]; };
layout(std430, binding = kTileRangeBinding) writeonly buffer Ranges { uvec2 ranges[]; };

void main() {
    uint i = gl_GlobalInvocationID.x, count = round_state.pair_count;
    if (i >= count) return;
    uint tile = pair_tiles[i];
    if (tile >= uint(tile_counts.x * tile_counts.y)) return;
    if (i == 0u || pair_tiles[i - 1u] != tile) ranges[tile].x = i;
    if (i + 1u == count || pair_tiles[i + 1u] != tile) ranges[tile].y = i + 1u;
}
