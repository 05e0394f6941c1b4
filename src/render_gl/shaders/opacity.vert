#version 450 core
// Strands as one-texel lines for the opacity map.
#include "frame.glsl"
layout(binding = 1) uniform sampler2D strand_depth_map;  // of the same size
layout(location = 1) uniform float strands_per_line;
layout(location = 0) in vec4 position_radius;
layout(location = 1) in vec3 tangent;
layout(location = 0) out vec2 depth_cover;

void main() {
    vec4 at = frame.light_matrix * vec4(position_radius.xyz, 1);
    gl_Position = vec4(at.xyz * 2.0 - 1.0, 1);
    // A line covers one texel per step along its longer axis; the strand covers width times length.
    vec3 direction = (frame.light_matrix * vec4(tangent, 0)).xyz * frame.key_colour.w;
    vec2 across = abs(direction.xy);
    float stretch = length(across) / max(max(across.x, across.y), 1e-4);
    float texel = frame.key_colour.w / float(textureSize(strand_depth_map, 0).x);
    depth_cover = vec2(at.z, 2.0 * position_radius.w / texel * stretch * strands_per_line);
}
