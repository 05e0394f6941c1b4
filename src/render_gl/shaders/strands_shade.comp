#version 450 core
// Evaluates, shades and projects one drawn vertex per invocation, for the compute rasteriser.
#include "frame.glsl"
#include "opacity.glsl"
#include "light.glsl"
#include "soft_light.glsl"
#include "scattering_gain.glsl"
#include "curve.glsl"
#include "fur_colour.glsl"
#include "fur_light.glsl"
#include "strand_light.glsl"
#include "segment.glsl"
#include "layer.glsl"
layout(local_size_x = kGroupSize) in;
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
    Point p = point_on_curve(segment - first_control, float(step) / float(subdivision));
    p.share = float(max(span, segment > 0u ? spans[segment - 1u] : 0u)) / float(subdivision);
    p.radius = drawn_radius(p);
    vec4 clip = frame.view_projection * vec4(p.position, 1);
    vec4 onward = frame.view_projection * vec4(p.tangent, 0);
    vec2 direction = (onward.xy * clip.w - clip.xy * onward.w) * frame.viewport.xy;
    float run = length(direction), w = max(clip.w, frame.eye.w);
    direction = run > 1e-12 ? direction / run : vec2(1, 0);
    vec3 colour = strand_light(p);
    StrandVertex v;
    float scale = float(layer_scale);
    v.pixel = ((clip.xy / w * 0.5 + 0.5) * frame.viewport.xy - vec2(layer_box.xy)) * scale;
    v.depth = clip.z / w * 0.5 + 0.5;
    v.direction = packSnorm2x16(direction);
    v.radius_blue = packHalf2x16(vec2(p.radius * frame.viewport.z / w * scale, colour.b));
    v.red_green = packHalf2x16(colour.rg);
    vertices[vertex] = v;
}
