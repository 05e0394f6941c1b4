#version 450 core
// One segment between control vertices per invocation.
#include "curve.glsl"
#include "grid.glsl"
layout(local_size_x = 64) in;
layout(location = 1) uniform uvec2 wanted;  // control vertices: the first, and how many

void main() {
    if (gl_GlobalInvocationID.x >= wanted.y) return;
    uint c = wanted.x + gl_GlobalInvocationID.x - first_control;
    if (along_of(c) == 65535u) return;
    vec4 a = controls[c].position_radius;
    vec3 b = controls[c + 1u].position_radius.xyz;
    // Extinction of randomly turned cylinders: pi/4 of their diameter times length per volume.
    float area = 2.0 * a.w * distance(a.xyz, b);
    deposit(0u, 0.5 * (a.xyz + b), area * 0.785398163 / (grid_place.w * grid_place.w));
}
