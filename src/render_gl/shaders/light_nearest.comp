#version 450 core
// The depth of the nearest strand in each texel of the light's map. Strands that the level of detail
// does not draw count, too: the layers of the opacity map begin at this depth, so shadows would
// change with the number of drawn strands otherwise. In a crowd, every head is searched in part.
#include "frame.glsl"
#include "strand_slots.glsl"
#include "strand_source.glsl"
#include "light_lines.glsl"
layout(std430, binding = kNearestBinding) buffer Nearest { uint nearest_depths[]; };  // float bits

void visit(ivec2 texel, float depth, float cover) {
    // The bits of positive floats are ordered like the floats. Reading first avoids most of the atomic
    // operations; depths only decrease, so that an old value does no harm.
    uint bits = floatBitsToUint(clamp(depth, 0.0, 1.0)), i = index_of(texel);
    if (bits < nearest_depths[i]) atomicMin(nearest_depths[i], bits);
}

bool is_wanted(StrandSlot slot, DrawnHead head) {
    return slot.first_controls[0] < head.searched_controls &&
           is_usable(read_position(slot.root - first_element));
}

void visit_vertex(StrandSlot slot, DrawnHead head, uint vertex) {
    if (vertex + 1u == slot.count) return;
    uint index = slot.root + vertex * kLanes;
    visit_line(position_of(index, slot.root), position_of(index + kLanes, slot.root), vec2(0),
               unpackHalf2x16(random_or_tone(slot, vertex)).x);
}
