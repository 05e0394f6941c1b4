#version 450 core
#include "paint.glsl"

void main() {
    if (paint().a < 0.5) discard;
}
