#version 450 core
// One patch of a body's surface per invocation.
#include "grid.glsl"
layout(local_size_x = 64) in;
layout(std430, binding = 3) readonly buffer Patches { vec4 patches[]; };  // centre, area
layout(location = 0) uniform mat4 motion;
layout(location = 1) uniform uint patch_count;

// A surface has to look opaque to a grid that knows only densities: the depth of one crossing is
// about a quarter of this.
const float kSurfaceWeight = 6.0;

void main() {
    if (gl_GlobalInvocationID.x >= patch_count) return;
    vec4 piece = patches[gl_GlobalInvocationID.x];
    deposit(cell_count(), (motion * vec4(piece.xyz, 1)).xyz,
            piece.w * kSurfaceWeight * 0.5 / (grid_place.w * grid_place.w));
}
