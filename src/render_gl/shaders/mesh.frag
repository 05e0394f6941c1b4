#version 450 core
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
    vec3 albedo = triangle_albedo(vertex_colour);
    if (part_has_texture()) albedo *= paint().rgb;
    colour = vec4(mesh_light(albedo), 1);
}
