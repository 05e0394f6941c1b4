#version 450 core
// Writes the index buffer in sorted order (corners of ribbons, ends of lines, or numbers of
// tessellation patches) and the number of indices to draw.
layout(local_size_x = kIndexGroupSize) in;
layout(std430, binding = kSortKeyBinding) readonly buffer Keys { uint keys[]; };
layout(std430, binding = kSortSegmentBinding) readonly buffer Segments { uint segments[]; };
layout(std430, binding = kIndexBinding) writeonly buffer Indices { uint indices[]; };
layout(std430, binding = kCommandBinding) writeonly buffer Command { uint command[]; };

layout(location = kFirstItemUniform) uniform uint first_item;  // of this dispatch and of `indices`
layout(location = kLastItemUniform) uniform uint last_item;
layout(location = kIndicesPerSegmentUniform) uniform uint each;  // 1 patch, 2 line, 6 ribbon
layout(location = kItemCountUniform) uniform uint item_count;    // of all dispatches

void main() {
    uint i = first_item + gl_GlobalInvocationID.x;
    if (i >= last_item || keys[i] == kHiddenKey) return;
    if (i + 1u == item_count || keys[i + 1u] == kHiddenKey) command[0] = (i + 1u) * each;
    uint segment = segments[i] & ((1u << kSpanShift) - 1u), span = (segments[i] >> kSpanShift) + 1u;
    uint out_at = gl_GlobalInvocationID.x * each;
    if (each == 1u) {
        indices[out_at] = segment;
        return;
    }
    uint a = segment * 2u, b = a + span * 2u;  // left corners of its first and its last vertex
    if (each == 2u) {
        indices[out_at] = a;
        indices[out_at + 1u] = b;
        return;
    }
    uint corners[6] = uint[](a, a + 1u, b, b, a + 1u, b + 1u);
    for (uint k = 0u; k < 6u; ++k) indices[out_at + k] = corners[k];
}
