#version 450 core
#include "frame.glsl"
layout(location = 0) in vec4 clip;
layout(location = 1) in vec4 colour;
layout(location = 2) in vec4 ribbon;  // distance from the centre line, radius, footprint: pixels
layout(location = 0) out vec4 strand_colour;
layout(location = 1) noperspective out vec4 strand_ribbon;

void main() {
    strand_colour = colour;
    strand_ribbon = ribbon;
    gl_Position = clip + vec4(frame.raster.xy * clip.w, 0, 0);
}
