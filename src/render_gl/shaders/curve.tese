#version 450 core
// Evaluates and shades a point of the curve.
#include "frame.glsl"
#include "opacity.glsl"
#include "light.glsl"
#include "soft_light.glsl"
#include "scattering_gain.glsl"
#include "fibre_lobes.glsl"
#include "curve.glsl"
#include "fur_colour.glsl"
#include "fur_light.glsl"
const bool kHasFur = true;
#include "strand_light.glsl"
#include "coverage.glsl"
#include "ribbon.glsl"
layout(isolines, equal_spacing) in;
layout(location = 0) flat in uint piece[];
layout(location = 0) out vec4 end_colour;
layout(location = 1) out vec4 end_ribbon;
layout(location = 2) out vec2 end_offset;

void main() {
    Point p = point_on_curve(piece[0], gl_TessCoord.x);
    p.share = 1.0 / gl_TessLevelOuter[1];
    p.radius = drawn_radius(p);
    RibbonEnd end = ribbon_end(p);
    end_colour = vec4(strand_light(p), 1);
    end_ribbon = vec4(end.reach, end.radius, end.footprint);
    end_offset = end.offset;
    gl_Position = end.clip;
}
