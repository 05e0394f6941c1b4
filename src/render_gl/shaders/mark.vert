#version 450 core
// A corner of a mark (mark_stream.h), already where it is seen.
layout(location = 0) in vec4 clip;
layout(location = 1) in vec4 colour;
layout(location = 0) out vec4 out_colour;

void main() {
    gl_Position = clip;
    out_colour = colour;
}
