// The tiles that a segment touches. Needs segment.glsl and round.glsl before it.
layout(local_size_x = kGroupSize) in;
layout(std430, binding = kSortSegmentBinding) readonly buffer Segments { uint segments[]; };
layout(std430, binding = kPairSumBinding) buffer Sums { uint sums[]; };  // per workgroup
layout(std430, binding = kTileStateBinding) readonly buffer States { uint tile_states[]; };

uint segment_at(uint i) { return segments[round_state.visible - 1u - i]; }

// The first and the last tile, across and down, of the box around a segment.
ivec4 tiles_of(Outline o) {
    vec2 low = (min(o.a, o.b) - o.reach) / float(kTilePixels);
    vec2 high = (max(o.a, o.b) + o.reach) / float(kTilePixels);
    vec2 most = vec2(tile_counts);
    ivec2 from = ivec2(clamp(low, vec2(0), most));
    ivec2 to = ivec2(clamp(high + 1.0, vec2(0), most)) - 1;
    return ivec4(from, to);
}

// The tiles of one segment: their number; and unless it is 0, the first tile across and down in bits
// 24 and 16, and in the lower bits which of the 4 x 4 tiles from there on are touched.
layout(std430, binding = kPairCountBinding) buffer Counts { uvec2 counts[]; };

const int kPackedSide = 4;

// Opaque tiles hide all segments of later rounds.
bool is_drawn_in(Outline o, int x, int y) {
    vec2 middle = (vec2(x, y) + 0.5) * float(kTilePixels);
    return touches(o, middle, vec2(0.5 * float(kTilePixels - 1))) &&
           tile_states[y * tile_counts.x + x] != kOpaqueTile;
}
