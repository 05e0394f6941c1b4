#version 450 core
// Computes the positions of strands that follow guides, as strand/children_kernel.h does, in the
// layout of strand/layout.h. A workgroup computes a block, several vertices of its strands at a
// time.
layout(local_size_x = kGroupSize) in;
layout(std430, binding = kPositionBinding) writeonly buffer Positions { float positions[]; };
layout(std430, binding = kRestBinding) readonly buffer Rest { float rest[]; };

// struct GuidedStrand of strand/guided_strands.h, by block and lane.
struct GuidedStrand {
    ivec3 guides;
    int root_motion;
    vec3 weights;
    int last;
};
layout(std430, binding = kGuidedBinding) readonly buffer Strands { GuidedStrand strands[]; };
layout(std430, binding = kGuideBinding) readonly buffer Guides { ivec2 guides[]; };  // GuideRange
// GuideMotion: three vectors each.
layout(std430, binding = kMotionBinding) readonly buffer Motions { vec4 motions[]; };
layout(std430, binding = kBlockBinding) readonly buffer Blocks { uint first_rows[]; };

#include "strand_slots.glsl"

layout(location = kFirstElementUniform) uniform uint first_element;  // of the bound ranges
layout(location = kBlockRangeUniform) uniform uvec2 block_range;     // first, count

vec3 moved_by(int motion, vec3 p, float weight) {
    vec4 m0 = motions[3 * motion], m1 = motions[3 * motion + 1], m2 = motions[3 * motion + 2];
    vec3 a = m0.xyz, b = vec3(m0.w, m1.xy), c = vec3(m1.zw, m2.x), shift = m2.yzw;
    return (a * p.x + b * p.y + c * p.z + shift) * weight;
}

vec3 moved_with_guide(int guide, vec3 p, int i, int last, float weight) {
    int first = guides[guide].x, tip = guides[guide].y;
    if (tip == last) return moved_by(first + i, p, weight);
    float at = float(i) / float(last) * float(tip);
    int from = min(int(at), max(tip - 1, 0)), to = min(from + 1, tip);
    float t = at - float(from);
    return moved_by(first + from, p, weight * (1.0 - t)) + moved_by(first + to, p, weight * t);
}

vec3 position_of(GuidedStrand strand, vec3 p, int i) {
    bool is_rigid = strand.weights.x + strand.weights.y + strand.weights.z <= 0.0;
    if (i == 0 || is_rigid) return moved_by(strand.root_motion, p, 1.0);
    vec3 sum = vec3(0);
    for (int k = 0; k < 3; ++k)
        if (strand.weights[k] > 0.0)
            sum += moved_with_guide(strand.guides[k], p, i, strand.last, strand.weights[k]);
    return sum;
}

void main() {
    uint number = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
    if (number >= block_range.y) return;
    uint block = block_range.x + number, lane = gl_LocalInvocationID.x % kLanes;
    // Strands that are neither drawn nor searched for the one nearest to the light are not needed.
    uint slot = number * kLanes + lane;
    if (slots[slot].first_controls[0] >= heads[slots[slot].head].searched_controls) return;
    GuidedStrand strand = strands[block * kLanes + lane];
    const int step = int(kGroupSize / kLanes);
    for (int i = int(gl_LocalInvocationID.x / kLanes); i <= strand.last; i += step) {
        uint row = first_rows[block] + uint(i);
        uint at = row * 3u * kLanes + lane - first_element;
        vec3 p = position_of(strand, vec3(rest[at], rest[at + kLanes], rest[at + 2u * kLanes]), i);
        positions[at] = p.x;
        positions[at + kLanes] = p.y;
        positions[at + 2u * kLanes] = p.z;
    }
}
