#version 450 core
#include "frame.glsl"
layout(location = kClipAttribute) in vec4 clip;
layout(location = kColourAttribute) in vec4 colour;
// Distance from the centre line, radius and footprint, in pixels.
layout(location = kRibbonAttribute) in vec4 ribbon;
layout(location = 0) out vec4 strand_colour;
layout(location = 1) noperspective out vec4 strand_ribbon;

void main() {
    strand_colour = colour;
    strand_ribbon = ribbon;
    gl_Position = clip + vec4(frame.raster.xy * clip.w, 0, 0);
}
