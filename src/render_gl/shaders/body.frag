#version 450 core
#include "frame.glsl"
#include "opacity.glsl"
#include "light.glsl"
#include "body.glsl"
#include "paint.glsl"
layout(location = 0) out vec4 colour;

void main() {
    vec3 albedo = triangle_albedo();
    if (part_is_painted()) albedo *= paint().rgb;
    colour = vec4(body_light(albedo), 1);
}
