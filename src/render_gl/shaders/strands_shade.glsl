// Evaluates, shades and projects drawn vertices. Needs segment.glsl, layer.glsl, and strand_light.glsl with
// all it needs before it.
layout(local_size_x = kGroupSize) in;
layout(std430, binding = kSpanBinding) readonly buffer Spans { uint spans[]; };  // sort_keys.comp

layout(location = kFirstVertexUniform) uniform uint first_vertex;  // of the first invocation
layout(location = kVertexCountUniform) uniform uint vertex_count;
layout(location = kSubdivisionUniform) uniform uint subdivision;
layout(location = kRunUniform) uniform uint run;  // vertices per invocation

// The larger of the spans of the drawn segments that meet at a vertex; 0 if it is not drawn. Drawn
// segments begin at multiples of the span. The first vertex also ends the previous one.
uint span_at(uint vertex) {
    uint segment = vertex / subdivision, step = vertex % subdivision;
    uint span = spans[segment], before = segment > 0u ? spans[segment - 1u] : 0u;
    bool is_start = span > 0u && step % span == 0u;
    return is_start || (step == 0u && before > 0u) ? max(span, before) : 0u;
}

void shade_vertex(uint vertex, uint span) {
    uint segment = vertex / subdivision, step = vertex % subdivision;
    Point p = point_on_curve(segment - first_control, float(step) / float(subdivision));
    p.share = float(span) / float(subdivision);
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

// A software renderer runs 8 invocations together, and each searches its run for the next vertex that
// is drawn, so that none waits for the others.
void main() {
    uint first = gl_GlobalInvocationID.x * run, last = min(first + run, vertex_count);
    for (uint i = first; i < last; ++i) {
        uint span = span_at(first_vertex + i);
        while (span == 0u && i + 1u < last) span = span_at(first_vertex + ++i);
        if (span > 0u) shade_vertex(first_vertex + i, span);
    }
}
