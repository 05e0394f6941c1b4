#version 450 core
// Parts whose texture has holes. Separate from mesh.frag because `discard` disables early depth
// tests.
#include "frame.glsl"
#include "opacity.glsl"
#include "light.glsl"
#include "soft_light.glsl"
#include "skin.glsl"
#include "mesh_light.glsl"
#include "paint.glsl"
layout(location = 3) in vec3 vertex_colour;
layout(location = 0) out vec4 colour;

void main() {
    vec4 texel = paint();
    if (texel.a < 0.5) discard;
    colour = vec4(mesh_light(triangle_albedo(vertex_colour) * texel.rgb), 1);
}
