#version 450 core
// The depth of the nearest strand in each texel of the light's map.
#include "frame.glsl"
#include "curve.glsl"
#include "light_lines.glsl"
layout(std430, binding = kLightSumBinding) buffer Nearest { uint nearest_depths[]; };  // float bits

void visit(ivec2 texel, float depth, float cover) {
    // The bits of positive floats are ordered like the floats. Reading first avoids most of the atomic
    // operations; depths only decrease, so that an old value does no harm.
    uint bits = floatBitsToUint(clamp(depth, 0.0, 1.0)), i = uint(texel.y * map_size + texel.x);
    if (bits < nearest_depths[i]) atomicMin(nearest_depths[i], bits);
}
