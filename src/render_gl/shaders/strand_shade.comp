#version 450 core
// One drawn vertex per invocation: its place on the curve, its light, its two ribbon corners.
#include "frame.glsl"
#include "opacity.glsl"
#include "light.glsl"
#include "curve.glsl"
#include "strand_light.glsl"
#include "ribbon.glsl"
layout(local_size_x = 64) in;

// Attribute layout of strand_stream.cpp: clip position; colour and opacity as halves; distance from
// the centre line, radius and footprint as halves, in pixels.
struct Corner {
    vec4 clip;
    uvec4 halves;
};
layout(std430, binding = 2) writeonly buffer Corners { Corner corners[]; };

layout(std430, binding = 5) readonly buffer Hidden { uint hidden[]; };  // sort_keys.comp writes it

layout(location = 1) uniform uint first_vertex;  // drawn vertex of the first invocation
layout(location = 2) uniform uint vertex_count;
layout(location = 3) uniform uint subdivision;

void main() {
    if (gl_GlobalInvocationID.x >= vertex_count) return;
    uint vertex = first_vertex + gl_GlobalInvocationID.x;
    uint piece = vertex / subdivision, place = vertex % subdivision;
    // Seen as a vertex of its own piece, or as the end of the one before.
    if (hidden[piece] != 0u && (place > 0u || piece == 0u || hidden[piece - 1u] != 0u)) return;
    uint c = piece - first_control;
    Point p = point_on_curve(c, float(place) / float(subdivision));
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
