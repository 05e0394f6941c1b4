#version 450 core
// Builds one control vertex per invocation from channels in the layout of strand/layout.h. A vertex
// that is not finite takes the position of its predecessor. A strand whose root is not finite
// becomes a point of zero width.
layout(local_size_x = kGroupSize) in;
layout(std430, binding = kPositionBinding) readonly buffer Positions { float positions[]; };
layout(std430, binding = kColourBinding) readonly buffer Colours { float colours[]; };
layout(std430, binding = kRadiusBinding) readonly buffer Radii { float radii[]; };
// struct ControlSource of strand_stream.h: root, vertex, last vertex, control vertex. The strand's
// random number is in the upper bits of the vertices.
layout(std430, binding = kSourceBinding) readonly buffer Sources { uvec4 sources[]; };

// struct ControlVertex of strand_stream.h.
struct Control {
    vec4 position_radius;
    uvec4 packed_rest;
};
layout(std430, binding = kControlBinding) writeonly buffer Controls { Control controls[]; };

// The first elements of the bound ranges.
layout(location = kFirstControlUniform) uniform uint first_control;
layout(location = kFirstSourceUniform) uniform uint first_source;
layout(location = kFirstElementUniform) uniform uint first_element;
layout(location = kControlRangeUniform) uniform uvec2 source_range;  // first, count
layout(location = kVertexCountUniform) uniform uint bound_controls;
// Factor of the radius; number of drawn control vertices; how many of the last get thinner.
layout(location = kWidthUniform) uniform vec3 width;

// Reads three components, given the index of the vertex in a channel of one component.
vec3 read(uint index, bool is_colour) {
    uint at = (index / kLanes * 3u) * kLanes + index % kLanes;
    return is_colour ? vec3(colours[at], colours[at + kLanes], colours[at + 2u * kLanes])
                     : vec3(positions[at], positions[at + kLanes], positions[at + 2u * kLanes]);
}

bool is_usable(vec3 p) { return all(lessThan(abs(p), vec3(kMaxCoordinate))); }

vec3 position_of(uint index, uint root) {
    vec3 p = read(index, false);
    while (!is_usable(p) && index > root) {
        index -= kLanes;
        p = read(index, false);
    }
    return is_usable(p) ? p : vec3(0);
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

void main() {
    if (gl_GlobalInvocationID.x >= source_range.y) return;
    uvec4 source = sources[source_range.x + gl_GlobalInvocationID.x - first_source];
    // Strands that the level of detail drops come last. Numbers before the first are large, too.
    uint control = source.w - first_control;
    if (control >= bound_controls) return;
    uint root = source.x - first_element, vertex = source.y & 0xffffffu;
    uint last = source.z & 0xffffffu, random_half = source.y >> 24 | source.z >> 24 << 8;
    uint index = root + vertex * kLanes, tip = root + last * kLanes;
    bool is_rooted = is_usable(read(root, false));
    float fading = width.z > 0.0 ? clamp((width.y - float(source.w)) / width.z, 0.0, 1.0) : 1.0;
    float radius = radii[index] * width.x * fading;
    radius = is_rooted && radius >= 0.0 && radius < kMaxCoordinate ? radius : 0.0;
    vec3 position = is_rooted ? position_of(index, root) : vec3(0);
    vec3 tangent = is_rooted ? tangent_of(index, root, tip) : vec3(0, 1, 0);
    vec3 colour = read(index, true);
    uint along = vertex == last ? kTipAlong
                 : vertex == 0u ? 0u
                                : clamp(uint(float(vertex) / float(last) * 65535.0), 1u,
                                        kTipAlong - 1u);
    uvec4 packed_rest;
    packed_rest.x = packHalf2x16(vec2(usable_colour(colour.r), usable_colour(colour.g)));
    packed_rest.y = packHalf2x16(vec2(usable_colour(colour.b), 0)) | random_half << 16;
    packed_rest.z = packSnorm2x16(tangent.xy);
    packed_rest.w = (packSnorm2x16(vec2(tangent.z, 0)) & 0xffffu) | (along << 16u);
    controls[control] = Control(vec4(position, radius), packed_rest);
}
