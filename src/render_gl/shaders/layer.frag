#version 450 core
// Reads the layer of strands: premultiplied colour and transmittance, which the blending applies to
// the image behind.
layout(binding = kInputUnit) uniform sampler2D layer;
layout(location = 0) out vec4 colour;

void main() { colour = texelFetch(layer, ivec2(gl_FragCoord.xy), 0); }
