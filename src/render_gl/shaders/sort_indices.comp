#version 450 core
// Corners of the ribbons, ends of the lines or numbers of the patches, in the order of the sort;
// and how many there are to draw.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Keys { uint keys[]; };
layout(std430, binding = 1) readonly buffer Segments { uint segments[]; };
layout(std430, binding = 3) writeonly buffer Indices { uint indices[]; };
layout(std430, binding = 4) writeonly buffer Command { uint command[]; };

layout(location = 0) uniform uint first_item;  // of this dispatch, and of what `indices` shows
layout(location = 1) uniform uint last_item;
layout(location = 2) uniform uint each;  // indices per segment: 1 patch, 2 line, 6 ribbon
layout(location = 3) uniform uint item_count;  // in all

const uint kHidden = 32767u;
const uint kSpanShift = 29u;

void main() {
    uint i = first_item + gl_GlobalInvocationID.x;
    if (i >= last_item || keys[i] == kHidden) return;
    if (i + 1u == item_count || keys[i + 1u] == kHidden) command[0] = (i + 1u) * each;
    uint segment = segments[i] & ((1u << kSpanShift) - 1u), span = (segments[i] >> kSpanShift) + 1u;
    uint out_at = gl_GlobalInvocationID.x * each;
    if (each == 1u) {
        indices[out_at] = segment;
        return;
    }
    uint a = segment * 2u, b = a + span * 2u;  // left of its first vertex and of its last
    if (each == 2u) {
        indices[out_at] = a;
        indices[out_at + 1u] = b;
        return;
    }
    uint corners[6] = uint[](a, a + 1u, b, b, a + 1u, b + 1u);
    for (uint k = 0u; k < 6u; ++k) indices[out_at + k] = corners[k];
}
