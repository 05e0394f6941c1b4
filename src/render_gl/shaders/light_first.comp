#version 450 core
// The nearest strand at each texel.
#include "frame.glsl"
#include "curve.glsl"
#include "light_lines.glsl"
layout(std430, binding = 2) buffer First { uint first_depths[]; };  // bits of depths in [0, 1]

void visit(ivec2 texel, float depth, float cover) {
    // Bits of positive floats are ordered like the floats.
    atomicMin(first_depths[texel.y * map_size + texel.x],
              floatBitsToUint(clamp(depth, 0.0, 1.0)));
}
