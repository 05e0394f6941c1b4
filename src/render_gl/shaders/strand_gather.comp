#version 450 core
// One control vertex per invocation, from the channels as strand/layout.h lays them out. Vertices
// that are not numbers take their predecessor's place; a strand with a broken root becomes a point
// without width.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Positions { float positions[]; };
layout(std430, binding = 2) readonly buffer Colours { float colours[]; };
layout(std430, binding = 3) readonly buffer Radii { float radii[]; };
// struct ControlSource of strand_stream.h: root, vertex, last vertex, and a number of the strand's.
layout(std430, binding = 4) readonly buffer Sources { uvec4 sources[]; };

// struct ControlVertex of strand_stream.h.
struct Control {
    vec4 position_radius;
    uvec4 packed_rest;
};
layout(std430, binding = 1) writeonly buffer Controls { Control controls[]; };

// What the bound ranges begin with.
layout(location = 0) uniform uint first_control;
layout(location = 1) uniform uint first_source;
layout(location = 2) uniform uint first_place;
layout(location = 3) uniform uvec2 wanted;  // control vertices: the first, and how many
layout(location = 4) uniform float width;   // times the radius

const uint kLanes = LANES, kTip = 65535u;
const float kFarthest = 1e4;

vec3 read(uint place, bool is_colour) {
    uint at = (place / kLanes * 3u) * kLanes + place % kLanes;
    return is_colour ? vec3(colours[at], colours[at + kLanes], colours[at + 2u * kLanes])
                     : vec3(positions[at], positions[at + kLanes], positions[at + 2u * kLanes]);
}

bool is_usable(vec3 p) { return all(lessThan(abs(p), vec3(kFarthest))); }

vec3 position_of(uint place, uint root) {
    vec3 p = read(place, false);
    while (!is_usable(p) && place > root) {
        place -= kLanes;
        p = read(place, false);
    }
    return is_usable(p) ? p : vec3(0);
}

// The direction from vertex to vertex around this one; where there is none, the last there was.
vec3 tangent_of(uint place, uint root, uint tip) {
    for (;; place -= kLanes) {
        vec3 from = position_of(max(place, root + kLanes) - kLanes, root);
        vec3 to = position_of(min(place + kLanes, tip), root);
        vec3 run = to - from;
        float size = length(run);
        if (size > 1e-12) return run / size;
        if (place == root) return vec3(0, 1, 0);
    }
}

float usable_colour(float c) { return c >= 0.0 && c < 1000.0 ? c : 0.0; }

void main() {
    if (gl_GlobalInvocationID.x >= wanted.y) return;
    uint c = wanted.x + gl_GlobalInvocationID.x;
    uvec4 source = sources[c - first_source];
    uint root = source.x - first_place, vertex = source.y, last = source.z;
    uint place = root + vertex * kLanes, tip = root + last * kLanes;
    bool is_rooted = is_usable(read(root, false));
    float radius = radii[place] * width;
    radius = is_rooted && radius >= 0.0 && radius < kFarthest ? radius : 0.0;
    vec3 position = is_rooted ? position_of(place, root) : vec3(0);
    vec3 tangent = is_rooted ? tangent_of(place, root, tip) : vec3(0, 1, 0);
    vec3 colour = read(place, true);
    float random = uintBitsToFloat(source.w);
    uint along = vertex == last ? kTip
                 : vertex == 0u ? 0u
                                : clamp(uint(float(vertex) / float(last) * 65535.0), 1u, kTip - 1u);
    uvec4 packed_rest;
    packed_rest.x = packHalf2x16(vec2(usable_colour(colour.r), usable_colour(colour.g)));
    packed_rest.y = packHalf2x16(vec2(usable_colour(colour.b), random));
    packed_rest.z = packSnorm2x16(tangent.xy);
    packed_rest.w = (packSnorm2x16(vec2(tangent.z, 0)) & 0xffffu) | (along << 16u);
    controls[c - first_control] = Control(vec4(position, radius), packed_rest);
}
