#version 450 core
// Adds one of several images to their mean.
layout(binding = kInputUnit) uniform sampler2D image;
layout(location = kShareUniform) uniform float share;
layout(location = 0) in vec2 screen;
layout(location = 0) out vec4 colour;

void main() { colour = texelFetch(image, ivec2(gl_FragCoord.xy), 0) * share; }
