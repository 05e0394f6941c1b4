#version 450 core
#include "frame.glsl"
layout(location = 0) in float height;
layout(location = 0) out float nearness;

void main() { nearness = exp(-max(height, 0.0) / (0.12 * frame.subject.w)); }
