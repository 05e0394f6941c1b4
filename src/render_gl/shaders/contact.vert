#version 450 core
// Meshes seen from straight below, for the contact shadow on the ground.
#include "frame.glsl"
layout(location = kTransformUniform) uniform mat4 transform;
layout(location = kPositionAttribute) in vec3 position;
layout(location = kUvAttribute) in vec2 vertex_uv;
layout(location = 0) out float height;
layout(location = 2) out vec2 uv;

void main() {
    uv = vertex_uv;
    vec3 p = (transform * vec4(position, 1)).xyz;
    height = p.y - frame.ground.x;
    vec2 at = (p.xz - frame.contact.xy) * frame.contact.z;
    gl_Position = vec4(at * 2.0 - 1.0, 0, 1);
}
