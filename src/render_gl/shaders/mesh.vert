#version 450 core
#include "frame.glsl"
layout(location = kTransformUniform) uniform mat4 transform;
layout(location = kPositionAttribute) in vec3 position;
layout(location = kNormalAttribute) in vec3 vertex_normal;
layout(location = kUvAttribute) in vec2 vertex_uv;
layout(location = kVertexColourAttribute) in vec3 own_colour;
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec2 uv;
layout(location = 3) out vec3 vertex_colour;

void main() {
    uv = vertex_uv;
    vertex_colour = own_colour;
    vec4 p = transform * vec4(position, 1);
    world = p.xyz;
    normal = mat3(transform) * vertex_normal;
    gl_Position = frame.view_projection * p;
    gl_Position.xy += frame.raster.xy * gl_Position.w;
}
