#version 450 core
// Strands as the key light sees them first.
#include "frame.glsl"
layout(location = 0) in vec4 position_radius;

void main() {
    vec3 at = (frame.light_matrix * vec4(position_radius.xyz, 1)).xyz;
    gl_Position = vec4(at * 2.0 - 1.0, 1);
}
