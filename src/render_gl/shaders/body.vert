#version 450 core
#include "frame.glsl"
layout(location = 0) uniform mat4 motion;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 place;
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 outward;
layout(location = 2) out vec2 uv;

void main() {
    uv = place;
    vec4 p = motion * vec4(position, 1);
    world = p.xyz;
    outward = mat3(motion) * normal;
    gl_Position = frame.view_projection * p;
    gl_Position.xy += frame.raster.xy * gl_Position.w;
}
