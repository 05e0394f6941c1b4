#version 450 core
// Copies the farthest depths of resolve.comp into the depth buffer.
layout(binding = kInputUnit) uniform sampler2D farthest;

void main() { gl_FragDepth = texelFetch(farthest, ivec2(gl_FragCoord.xy), 0).x; }
