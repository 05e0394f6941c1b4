#version 450 core
// A patch is one simulated segment of a strand; its index is the number of its control vertex.
layout(location = 0) flat out uint control;

void main() { control = uint(gl_VertexID); }
