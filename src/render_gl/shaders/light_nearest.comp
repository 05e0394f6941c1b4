#version 450 core
// The depth of the nearest strand in each texel of the light's map. All strands count, including
// those that the level of detail does not draw: the layers of the opacity map begin at this depth, so
// shadows would change with the number of drawn strands otherwise.
#include "frame.glsl"
#include "strand_source.glsl"
#include "light_lines.glsl"
layout(std430, binding = kLightSumBinding) buffer Nearest { uint nearest_depths[]; };  // float bits

void visit(ivec2 texel, float depth, float cover) {
    // The bits of positive floats are ordered like the floats. Reading first avoids most of the atomic
    // operations; depths only decrease, so that an old value does no harm.
    uint bits = floatBitsToUint(clamp(depth, 0.0, 1.0)), i = uint(texel.y * map_size + texel.x);
    if (bits < nearest_depths[i]) atomicMin(nearest_depths[i], bits);
}

void main() {
    if (gl_GlobalInvocationID.x >= source_range.y) return;
    StrandSource source = source_of(source_range.x + gl_GlobalInvocationID.x - first_source);
    if (source.vertex == source.last || !is_usable(read_position(source.root))) return;
    uint index = source.root + source.vertex * kLanes;
    visit_line(position_of(index, source.root), position_of(index + kLanes, source.root), vec2(0),
               unpackHalf2x16(source.random_half).x);
}
