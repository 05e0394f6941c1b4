#version 450 core
// Deposits one segment between control vertices per invocation: one of every `stride` neighbours,
// with the weight of as many.
#include "curve.glsl"
#include "grid.glsl"
layout(local_size_x = kGroupSize) in;
layout(location = kControlRangeUniform) uniform uvec2 control_range;  // first, count
layout(location = kLightStrideUniform) uniform uint stride;

// A multiplicative hash (Knuth, The Art of Computer Programming, 6.4): the upper bits are random.
uint chosen_of(uint run) { return (run * 2654435761u >> 16) * stride >> 16; }

void main() {
    uint run = gl_GlobalInvocationID.x, at = run * stride + chosen_of(run);
    if (at >= control_range.y) return;
    uint c = control_range.x + at - first_control;
    if (along_of(c) == kTipAlong) return;
    vec4 a = controls[c].position_radius;
    vec3 b = controls[c + 1u].position_radius.xyz;
    // Extinction of randomly oriented cylinders: pi/4 of diameter times length per volume.
    float area = 2.0 * a.w * distance(a.xyz, b) * float(stride);
    deposit(0u, 0.5 * (a.xyz + b), area * 0.785398163 / (grid_origin.w * grid_origin.w));
}
