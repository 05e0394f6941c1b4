#version 450 core
#include "frame.glsl"
#include "contact.glsl"
#include "paint.glsl"

void main() {
    if (paint().a < 0.5) discard;
    nearness = ground_nearness();
}
