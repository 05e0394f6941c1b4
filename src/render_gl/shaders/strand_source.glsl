// The simulated vertices, in the layout of strand/layout.h. The host binds ranges of the buffers.
layout(std430, binding = kPositionBinding) readonly buffer Positions { float positions[]; };
// struct ControlSource of strand_stream.h: root, vertex, last vertex, control vertex. The strand's
// random number is in the upper bits of the vertices.
layout(std430, binding = kSourceBinding) readonly buffer Sources { uvec4 sources[]; };

// The first elements of the bound ranges.
layout(location = kFirstSourceUniform) uniform uint first_source;
layout(location = kFirstElementUniform) uniform uint first_element;
layout(location = kControlRangeUniform) uniform uvec2 source_range;  // first, count

struct StrandSource {
    uint root;  // index in a channel of one component
    uint vertex, last, control;
    uint random_half;  // the bits of a 16-bit float
};

StrandSource source_of(uint number) {
    uvec4 s = sources[number];
    return StrandSource(s.x - first_element, s.y & 0xffffffu, s.z & 0xffffffu, s.w,
                        s.y >> 24 | s.z >> 24 << 8);
}

// The index of the first of three components, given that in a channel of one component.
uint first_component(uint index) { return (index / kLanes * 3u) * kLanes + index % kLanes; }

vec3 read_position(uint index) {
    uint at = first_component(index);
    return vec3(positions[at], positions[at + kLanes], positions[at + 2u * kLanes]);
}

bool is_usable(vec3 p) { return all(lessThan(abs(p), vec3(kMaxCoordinate))); }

// A vertex that is not finite takes the position of its predecessor.
vec3 position_of(uint index, uint root) {
    vec3 p = read_position(index);
    while (!is_usable(p) && index > root) {
        index -= kLanes;
        p = read_position(index);
    }
    return is_usable(p) ? p : vec3(0);
}
