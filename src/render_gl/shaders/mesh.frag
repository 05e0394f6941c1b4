#version 450 core
#include "frame.glsl"
#include "opacity.glsl"
#include "light.glsl"
#include "mesh_light.glsl"
#include "paint.glsl"
layout(location = 0) out vec4 colour;

void main() {
    vec3 albedo = triangle_albedo();
    if (part_has_texture()) albedo *= paint().rgb;
    colour = vec4(mesh_light(albedo), 1);
}
