#version 450 core
// Adds one of several images to their mean.
layout(binding = kInputUnit) uniform sampler2D image;
#include "front.glsl"
layout(location = kShareUniform) uniform float share;
layout(location = 0) in vec2 screen;
layout(location = 0) out vec4 colour;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    colour = vec4(light_of(texelFetch(image, at, 0), at) * share, 0);
}
