#version 450 core
// The depth of the nearest strand in each texel of the light's map.
#include "frame.glsl"
#include "curve.glsl"
#include "light_lines.glsl"
layout(std430, binding = kLightSumBinding) buffer Nearest { uint nearest_depths[]; };  // float bits

void visit(ivec2 texel, float depth, float cover) {
    // The bits of positive floats are ordered like the floats.
    atomicMin(nearest_depths[texel.y * map_size + texel.x],
              floatBitsToUint(clamp(depth, 0.0, 1.0)));
}
