#version 450 core
#include "frame.glsl"
#include "contact.glsl"

void main() { nearness = ground_nearness(); }
