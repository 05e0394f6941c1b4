#version 450 core
// Where a texture has holes. Apart from body.frag, for a shader that may discard cannot be spared
// what is hidden.
#include "frame.glsl"
#include "opacity.glsl"
#include "light.glsl"
#include "body.glsl"
#include "paint.glsl"
layout(location = 0) out vec4 colour;

void main() {
    vec4 texel = paint();
    if (texel.a < 0.5) discard;
    colour = vec4(body_light(triangle_albedo() * texel.rgb), 1);
}
