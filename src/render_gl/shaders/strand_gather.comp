#version 450 core
// Builds control vertices from channels in the layout of strand/layout.h. A vertex that is not finite
// takes the position of its predecessor. A strand whose root is not finite becomes a point of zero
// width.
#include "strand_slots.glsl"
#include "strand_source.glsl"
layout(std430, binding = kColourBinding) readonly buffer Colours { float colours[]; };
layout(std430, binding = kRadiusBinding) readonly buffer Radii { float radii[]; };

// struct ControlVertex of strand_stream.h.
struct Control {
    vec4 position_radius;
    uvec4 packed_rest;
};
layout(std430, binding = kControlBinding) writeonly buffer Controls { Control controls[]; };

layout(location = kFirstControlUniform) uniform uint first_control;  // of the bound range
layout(location = kVertexCountUniform) uniform uint bound_controls;

vec3 read_colour(uint index) {
    uint at = first_component(index);
    return vec3(colours[at], colours[at + kLanes], colours[at + 2u * kLanes]);
}

// The direction from the previous vertex to the next. If these coincide, the tangent of the
// previous vertex.
vec3 tangent_of(uint index, uint root, uint tip) {
    for (;; index -= kLanes) {
        vec3 from = position_of(max(index, root + kLanes) - kLanes, root);
        vec3 to = position_of(min(index + kLanes, tip), root);
        vec3 run = to - from;
        float size = length(run);
        if (size > 1e-12) return run / size;
        if (index == root) return vec3(0, 1, 0);
    }
}

float usable_colour(float c) { return c >= 0.0 && c < 1000.0 ? c : 0.0; }

// Strands that the level of detail drops have the last numbers of their head.
bool is_wanted(StrandSlot slot, DrawnHead head) {
    return first_control_of(slot, head.skip) < head.control_count;
}

void visit_vertex(StrandSlot slot, DrawnHead head, uint vertex) {
    uint last = slot.count - 1u, step = 1u << head.skip;
    if (vertex != last && vertex % step != 0u) return;
    uint number = first_control_of(slot, head.skip) + (vertex + step - 1u) / step;
    // Numbers before the first are large, too.
    uint control = head.first_control + number - first_control;
    if (control >= bound_controls) return;
    uint root = slot.root, index = root + vertex * kLanes, tip = root + last * kLanes;
    bool is_rooted = is_usable(read_position(root));
    float fading = head.fading_controls > 0.0
                       ? clamp((float(head.control_count) - float(number)) / head.fading_controls,
                               0.0, 1.0)
                       : 1.0;
    float radius = radii[index] * head.width * fading;
    radius = is_rooted && radius >= 0.0 && radius < kMaxCoordinate ? radius : 0.0;
    vec3 position = is_rooted ? position_of(index, root) : vec3(0);
    vec3 tangent = is_rooted ? tangent_of(index, root, tip) : vec3(0, 1, 0);
    vec3 colour = read_colour(index);
    uint along = vertex == last ? kTipAlong
                 : vertex == 0u ? 0u
                                : clamp(uint(float(vertex) / float(last) * 65535.0), 1u,
                                        kTipAlong - 1u);
    uvec4 packed_rest;
    packed_rest.x = packHalf2x16(vec2(usable_colour(colour.r), usable_colour(colour.g)));
    packed_rest.y = packHalf2x16(vec2(usable_colour(colour.b), 0)) |
                    random_or_tone(slot, vertex) << 16;
    packed_rest.z = packSnorm2x16(tangent.xy);
    packed_rest.w = (packSnorm2x16(vec2(tangent.z, 0)) & 0xffffu) | (along << 16u);
    controls[control] = Control(vec4(position, radius), packed_rest);
}
