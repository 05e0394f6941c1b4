#version 450 core
// Bodies as the key light sees them, depth only.
#include "frame.glsl"
layout(location = 0) uniform mat4 motion;
layout(location = 0) in vec3 position;
layout(location = 2) in vec2 place;
layout(location = 2) out vec2 uv;

void main() {
    uv = place;
    vec4 at = frame.light_matrix * (motion * vec4(position, 1));
    gl_Position = vec4(at.xyz * 2.0 - 1.0, 1);
}
