// The strands by their place in the layout, and what is drawn of each head. The host binds the range of
// slots that holds a batch of blocks.

// struct StrandSlot of strand_stream.h, by block and lane.
struct StrandSlot {
    uint count, head;
    uint root;  // index in a channel of one component
    uint first_controls[kVertexSteps];
    uint tones[2];
};
layout(std430, binding = kSlotBinding) readonly buffer Slots { StrandSlot slots[]; };

// struct DrawnHead of strand_stream.h.
struct DrawnHead {
    uint first_control, control_count, skip, searched_controls;
    float width, fading_controls;
};
layout(std430, binding = kHeadBinding) readonly buffer Heads { DrawnHead heads[]; };

// Constant indices keep the slot in registers.
uint first_control_of(StrandSlot slot, uint skip) {
    return skip == 0u   ? slot.first_controls[0]
           : skip == 1u ? slot.first_controls[1]
                        : slot.first_controls[2];
}
