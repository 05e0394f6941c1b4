#version 450 core
// Deposits one triangle of a mesh per invocation.
#include "grid.glsl"
layout(local_size_x = kGroupSize) in;
layout(std430, binding = kSurfaceBinding) readonly buffer Samples { vec4 samples[]; };  // w: area
layout(location = kTransformUniform) uniform mat4 transform;
layout(location = kSurfaceCountUniform) uniform uint sample_count;

// Scales area to optical depth, so that a surface is nearly opaque in the grid: crossing it has a
// depth of about a quarter of this.
const float kSurfaceWeight = 6.0;

void main() {
    if (gl_GlobalInvocationID.x >= sample_count) return;
    vec4 surface = samples[gl_GlobalInvocationID.x];
    deposit(cell_count(), (transform * vec4(surface.xyz, 1)).xyz,
            surface.w * kSurfaceWeight * 0.5 / (grid_origin.w * grid_origin.w));
}
