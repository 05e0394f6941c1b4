// The simulated vertices, in the layout of strand/layout.h. The host binds ranges of the buffers that
// hold a batch of blocks. A workgroup reads a block, several vertices of its strands at a time. Needs
// strand_slots.glsl before it.
layout(local_size_x = kGroupSize) in;
layout(std430, binding = kPositionBinding) readonly buffer Positions { float positions[]; };

layout(location = kFirstElementUniform) uniform uint first_element;  // of the bound channels
layout(location = kBlockRangeUniform) uniform uvec2 block_range;     // first, count

// Defined by the including shader: whether a strand is read, and the work for one of its vertices.
bool is_wanted(StrandSlot slot, DrawnHead head);
void visit_vertex(StrandSlot slot, DrawnHead head, uint vertex);

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

// The bits of a 16-bit float: the random number of a strand of hair, the tone of a vertex of fur.
uint random_or_tone(StrandSlot slot, uint vertex) {
    if (slot.tones[1] == kHair) return slot.tones[0];
    float along = slot.count > 1u ? float(vertex) / float(slot.count - 1u) : 0.0;
    float root_tone = uintBitsToFloat(slot.tones[0]), tip_tone = uintBitsToFloat(slot.tones[1]);
    return packHalf2x16(vec2(kFurTone + root_tone * (1.0 - along) + tip_tone * along, 0));
}

void main() {
    uint number = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
    if (number >= block_range.y) return;
    StrandSlot slot = slots[number * kLanes + gl_LocalInvocationID.x % kLanes];
    if (slot.count == 0u) return;
    DrawnHead head = heads[slot.head];
    if (!is_wanted(slot, head)) return;
    slot.root -= first_element;
    for (uint i = gl_LocalInvocationID.x / kLanes; i < slot.count; i += uint(kGroupSize) / kLanes)
        visit_vertex(slot, head, i);
}
