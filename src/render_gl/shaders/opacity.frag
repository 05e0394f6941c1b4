#version 450 core
// Adds a strand to every layer that ends behind it.
#include "frame.glsl"
#include "opacity.glsl"
layout(binding = 0) uniform sampler2DShadow opaque_map;
layout(binding = 1) uniform sampler2D strand_depth_map;
layout(location = 0) in vec2 depth_cover;
layout(location = 0) out vec4 cover;

void main() {
    float first = texelFetch(strand_depth_map, ivec2(gl_FragCoord.xy), 0).x;
    float behind = (depth_cover.x - first) * frame.key_direction.w;
    // Behind a body it is dark in any case; leaving those strands out lets skin be shaded by all
    // that the map holds, without asking for depths.
    vec2 at = gl_FragCoord.xy / vec2(textureSize(strand_depth_map, 0));
    float depth = depth_cover.x - 0.004 / frame.key_direction.w;
    float lit = textureLod(opaque_map, vec3(at, depth), 0.0);
    cover = vec4(lessThanEqual(vec3(behind), kLayerEnds.xyz), 1) * (depth_cover.y * lit);
}
