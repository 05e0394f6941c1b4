#version 450 core
// Adds every strand to the layer it lies in.
#include "frame.glsl"
#include "opacity.glsl"
#include "curve.glsl"
#include "light_lines.glsl"
layout(binding = 0) uniform sampler2DShadow opaque_map;
layout(binding = 1) uniform sampler2D strand_depth_map;
layout(std430, binding = 2) buffer Layers { uint layers[]; };  // four of each texel

void visit(ivec2 texel, float depth, float cover) {
    // Behind a body it is dark in any case; leaving those strands out lets skin be shaded by all
    // that the map holds, without asking for depths.
    vec2 at = (vec2(texel) + 0.5) / float(map_size);
    float lit = textureLod(opaque_map, vec3(at, depth - 0.004 / frame.key_direction.w), 0.0);
    uint amount = uint(min(cover * lit, kMostCover) * kCoverUnit + 0.5);
    if (amount == 0u) return;
    float first = texelFetch(strand_depth_map, texel, 0).x;
    float behind = (depth - first) * frame.key_direction.w;
    uint layer = uint(dot(vec3(greaterThan(vec3(behind), kLayerEnds.xyz)), vec3(1)));
    atomicAdd(layers[(texel.y * map_size + texel.x) * 4 + int(layer)], amount);
}
