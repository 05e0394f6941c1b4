#version 450 core
// Deposits one segment between control vertices per invocation: every stride-th of each strand, with
// the weight of as many. Strands begin with different segments.
#include "curve.glsl"
#include "grid.glsl"
layout(local_size_x = kGroupSize) in;
layout(location = kControlRangeUniform) uniform uvec2 control_range;  // first, count
layout(location = kLightStrideUniform) uniform uint stride;

void main() {
    if (gl_GlobalInvocationID.x >= control_range.y) return;
    uint c = control_range.x + gl_GlobalInvocationID.x - first_control;
    if ((c + uint(random_of(c) * float(stride))) % stride != 0u) return;
    if (along_of(c) == kTipAlong) return;
    vec4 a = controls[c].position_radius;
    vec3 b = controls[c + 1u].position_radius.xyz;
    // Extinction of randomly oriented cylinders: pi/4 of diameter times length per volume.
    float area = 2.0 * a.w * distance(a.xyz, b) * float(stride);
    deposit(0u, 0.5 * (a.xyz + b), area * 0.785398163 / (grid_origin.w * grid_origin.w));
}
