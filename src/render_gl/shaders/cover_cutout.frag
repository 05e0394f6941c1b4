#version 450 core
#include "paint.glsl"
layout(location = 0) out float cover;

void main() {
    if (paint().a < 0.5) discard;
    cover = 1.0;
}
