#version 450 core
// Evaluates and shades one drawn vertex per invocation and writes its two ribbon corners.
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
layout(local_size_x = kGroupSize) in;

// The vertex format of strand_stream.cpp: clip position; colour and opacity as halves; distance
// from the centre line, radius and footprint as halves, in pixels.
struct Corner {
    vec4 clip;
    uvec4 halves;
};
layout(std430, binding = kCornerBinding) writeonly buffer Corners { Corner corners[]; };
layout(std430, binding = kSpanBinding) readonly buffer Spans { uint spans[]; };  // sort_keys.comp

layout(location = kFirstVertexUniform) uniform uint first_vertex;  // of the first invocation
layout(location = kVertexCountUniform) uniform uint vertex_count;
layout(location = kSubdivisionUniform) uniform uint subdivision;

void main() {
    if (gl_GlobalInvocationID.x >= vertex_count) return;
    uint vertex = first_vertex + gl_GlobalInvocationID.x;
    uint segment = vertex / subdivision, step = vertex % subdivision;
    // Drawn segments begin at multiples of the span. The first vertex also ends the previous one.
    uint span = spans[segment];
    bool is_start = span > 0u && step % span == 0u;
    if (!is_start && (step > 0u || segment == 0u || spans[segment - 1u] == 0u)) return;
    uint c = segment - first_control;
    Point p = point_on_curve(c, float(step) / float(subdivision));
    p.share = float(max(span, segment > 0u ? spans[segment - 1u] : 0u)) / float(subdivision);
    p.radius = drawn_radius(p);
    RibbonEnd end = ribbon_end(p);
    vec3 colour = strand_light(p);
    uvec2 colour_halves = uvec2(packHalf2x16(colour.rg), packHalf2x16(vec2(colour.b, 1)));
    uvec2 left_halves = uvec2(packHalf2x16(vec2(end.reach, end.radius)),
                              packHalf2x16(end.footprint));
    uvec2 right_halves = uvec2(packHalf2x16(vec2(-end.reach, end.radius)), left_halves.y);
    uint left = gl_GlobalInvocationID.x * 2u;
    vec4 offset = vec4(end.offset, 0, 0);
    corners[left] = Corner(end.clip + offset, uvec4(colour_halves, left_halves));
    corners[left + 1u] = Corner(end.clip - offset, uvec4(colour_halves, right_halves));
}
