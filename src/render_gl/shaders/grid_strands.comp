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

float random_place(uint c) { return float(c * 2654435761u >> 16) / 65536.0; }

void main() {
    uint run = gl_GlobalInvocationID.x, at = run * stride + chosen_of(run);
    if (at >= control_range.y) return;
    uint c = control_range.x + at - first_control;
    if (along_of(c) == kTipAlong) return;
    vec4 a = controls[c].position_radius;
    vec3 b = controls[c + 1u].position_radius.xyz;
    // Extinction of randomly oriented cylinders: pi/4 of diameter times length per volume.
    float area = 2.0 * a.w * distance(a.xyz, b) * float(stride);
    float depth = area * 0.785398163 / (grid_origin.w * grid_origin.w);
    // A segment may be longer than a cell. One that stands for others has a random place, because
    // the middles of neighbouring segments lie side by side.
    int pieces = int(clamp(ceil(distance(a.xyz, b) / grid_origin.w), 1.0, 4.0));
    if (stride > 1u) pieces = 1;
    float middle = stride > 1u ? random_place(c) : 0.5;
    for (int i = 0; i < pieces; ++i)
        deposit(0u, mix(a.xyz, b, (float(i) + middle) / float(pieces)), depth / float(pieces));
}
