#version 450 core
// Strands without coverage, for the reference and for lines.
layout(location = 0) in vec4 strand_colour;
layout(location = 0) out vec4 colour;

void main() { colour = vec4(strand_colour.rgb, 1); }
