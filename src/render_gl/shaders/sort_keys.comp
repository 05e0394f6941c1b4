#version 450 core
// Depth of every drawn segment's middle as a key: the farthest first, the hidden last. An
// invocation per control vertex.
#include "frame.glsl"
#include "curve.glsl"
layout(local_size_x = 64) in;
layout(std430, binding = 2) writeonly buffer Keys { uint keys[]; };
layout(std430, binding = 3) writeonly buffer Segments { uint segments[]; };

layout(location = 1) uniform uvec2 wanted;  // control vertices: the first, and how many
layout(location = 2) uniform uint subdivision;
layout(location = 3) uniform vec2 depth_keys;  // depth of key 0, m, and keys per metre towards us

const uint kNearest = 32766u, kHidden = 32767u;

float depth_of(uint c) {
    return dot(controls[c].position_radius.xyz - frame.eye.xyz, frame.camera_forward.xyz);
}

void main() {
    if (gl_GlobalInvocationID.x >= wanted.y) return;
    uint first = (wanted.x + gl_GlobalInvocationID.x) * subdivision;
    uint c = wanted.x + gl_GlobalInvocationID.x - first_control, along = along_of(c);
    bool is_tip = along == 65535u;
    uint next = is_tip ? c : c + 1u;
    float z1 = depth_of(c), z2 = depth_of(next);
    bool is_hidden = is_tip || min(z1, z2) < frame.eye.w;
    // Depth is linear in position, so the curve's depth is the same spline of the vertices' depths.
    float z0 = along == 0u || is_tip ? 2.0 * z1 - z2 : depth_of(c - 1u);
    float z3 = along_of(next) == 65535u ? 2.0 * z2 - z1 : depth_of(next + 1u);
    float a = -z0 + 3.0 * z1 - 3.0 * z2 + z3, b = 2.0 * z0 - 5.0 * z1 + 4.0 * z2 - z3;
    for (uint j = 0u; j < subdivision; ++j) {
        float t = (float(j) + 0.5) / float(subdivision);
        float z = z1 + 0.5 * t * (z2 - z0 + t * (b + t * a));
        float key = clamp((depth_keys.x - z) * depth_keys.y, 0.0, float(kNearest));
        keys[first + j] = is_hidden ? kHidden : uint(key);
        segments[first + j] = first + j;
    }
}
