#version 450 core
// Deposits one segment between control vertices per invocation.
#include "curve.glsl"
#include "grid.glsl"
layout(local_size_x = kGroupSize) in;
layout(location = kControlRangeUniform) uniform uvec2 control_range;  // first, count

void main() {
    if (gl_GlobalInvocationID.x >= control_range.y) return;
    uint c = control_range.x + gl_GlobalInvocationID.x - first_control;
    if (along_of(c) == kTipAlong) return;
    vec4 a = controls[c].position_radius;
    vec3 b = controls[c + 1u].position_radius.xyz;
    // Extinction of randomly oriented cylinders: pi/4 of diameter times length per volume.
    float area = 2.0 * a.w * distance(a.xyz, b);
    deposit(0u, 0.5 * (a.xyz + b), area * 0.785398163 / (grid_origin.w * grid_origin.w));
}
