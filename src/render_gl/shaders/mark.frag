#version 450 core
layout(location = 0) in vec4 in_colour;  // not premultiplied
layout(location = 0) out vec4 out_colour;

void main() { out_colour = vec4(in_colour.rgb * in_colour.a, in_colour.a); }
