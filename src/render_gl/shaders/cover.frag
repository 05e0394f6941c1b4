#version 450 core
layout(location = 0) out float cover;

void main() { cover = 1.0; }
