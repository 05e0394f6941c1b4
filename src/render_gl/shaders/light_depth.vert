#version 450 core
// Meshes as seen from a lamp, depth only.
#include "frame.glsl"
layout(location = kTransformUniform) uniform mat4 transform;
layout(location = kLampUniform) uniform int lamp;
layout(location = kPositionAttribute) in vec3 position;
layout(location = kUvAttribute) in vec2 vertex_uv;
layout(location = 2) out vec2 uv;

void main() {
    uv = vertex_uv;
    vec4 at = frame.lamp_matrix[lamp] * (transform * vec4(position, 1));
    gl_Position = vec4(at.xyz * 2.0 - 1.0, 1);
}
