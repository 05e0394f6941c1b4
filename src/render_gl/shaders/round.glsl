// The state of the compute rasteriser between its passes. Strands are drawn in rounds, from front
// to back. Each round takes the segments of a window, as many as the list of pairs has room for. A
// pair is a tile and a segment that touches it.
layout(std430, binding = kRoundBinding) buffer Round {
    uint visible;      // number of segments, which are sorted from back to front
    uint first, next;  // this round draws the segments [first, next), counted from the front
    uint pair_count;
    // Workgroups of the passes.
    uint count_groups[3];     // that count pairs
    uint list_groups[3];      // that list them
    uint range_groups[3];     // that find the range of each tile
    uint tile_groups[3];      // that draw the tiles
    uint unbinned_groups[3];  // that draw the segments left after the last round
    uint is_unfinished;       // whether a tile has segments after the current slice
} round_state;

layout(location = kWindowUniform) uniform uint window_size;  // most segments of a round
layout(location = kPairLimitUniform) uniform uint pair_limit;
layout(location = kTileCountsUniform) uniform ivec2 tile_counts;

// The end of the window of segments that the round may draw.
uint window_end() {
    return round_state.first + min(window_size, round_state.visible - round_state.first);
}
