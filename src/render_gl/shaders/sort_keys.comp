#version 450 core
// Depth of every drawn segment's middle as a key: the farthest first, the hidden last.
#include "frame.glsl"
#include "curve.glsl"
layout(local_size_x = 256) in;
layout(std430, binding = 2) writeonly buffer Keys { uint keys[]; };
layout(std430, binding = 3) writeonly buffer Segments { uint segments[]; };
layout(std430, binding = 4) buffer Drawn { uint command[5]; uint visible; };

layout(location = 1) uniform uint first_slot;
layout(location = 2) uniform uint slot_count;
layout(location = 3) uniform uint subdivision;
layout(location = 4) uniform vec2 depth_keys;  // depth of key 0, m, and keys per metre towards us

const uint kNearest = 65534u, kHidden = 65535u;

shared uint seen;

float depth_of(vec3 p) { return dot(p - frame.eye.xyz, frame.camera_forward.xyz); }

uint key_of(uint slot) {
    uint c = slot / subdivision - first_control;
    if (along_of(c) == 65535u) return kHidden;
    float near = min(depth_of(controls[c].position_radius.xyz),
                     depth_of(controls[c + 1u].position_radius.xyz));
    if (near < frame.eye.w) return kHidden;
    float t = (float(slot % subdivision) + 0.5) / float(subdivision);
    float z = depth_of(point_on_curve(c, t).position);
    return uint(clamp((depth_keys.x - z) * depth_keys.y, 0.0, float(kNearest)));
}

void main() {
    if (gl_LocalInvocationIndex == 0u) seen = 0u;
    barrier();
    if (gl_GlobalInvocationID.x < slot_count) {
        uint slot = first_slot + gl_GlobalInvocationID.x;
        uint key = key_of(slot);
        keys[slot] = key;
        segments[slot] = slot;
        if (key != kHidden) atomicAdd(seen, 1u);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && seen > 0u) atomicAdd(visible, seen);
}
