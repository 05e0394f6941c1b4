#version 450 core
// One of several pictures of which the mean is wanted.
layout(binding = 8) uniform sampler2D part;
layout(location = 0) uniform float share;
layout(location = 0) in vec2 screen;
layout(location = 0) out vec4 colour;

void main() { colour = texelFetch(part, ivec2(gl_FragCoord.xy), 0) * share; }
