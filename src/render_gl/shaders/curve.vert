#version 450 core
// A patch is one piece of a strand; its index says which.
layout(location = 0) flat out uint control;

void main() { control = uint(gl_VertexID); }
