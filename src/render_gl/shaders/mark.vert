#version 450 core
// A corner of a mark (mark_stream.h), already in clip coordinates.
layout(location = kClipAttribute) in vec4 clip;
layout(location = kColourAttribute) in vec4 colour;
layout(location = 0) out vec4 out_colour;

void main() {
    gl_Position = clip;
    out_colour = colour;
}
