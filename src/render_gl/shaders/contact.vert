#version 450 core
// Bodies seen from straight below, for the shade they leave on the ground they touch.
#include "frame.glsl"
layout(location = 0) uniform mat4 motion;
layout(location = 0) in vec3 position;
layout(location = 2) in vec2 place;
layout(location = 0) out float height;
layout(location = 2) out vec2 uv;

void main() {
    uv = place;
    vec3 p = (motion * vec4(position, 1)).xyz;
    height = p.y - frame.ground.x;
    vec2 at = (p.xz - frame.contact.xy) * frame.contact.z;
    gl_Position = vec4(at * 2.0 - 1.0, 0, 1);
}
