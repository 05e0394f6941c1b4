#version 450 core
// Long pieces are divided more finely than short ones.
#include "frame.glsl"
#include "curve.glsl"
layout(vertices = 1) out;
layout(location = 1) uniform float pixels_per_segment;
layout(location = 2) uniform float most_segments;
layout(location = 3) uniform float fixed_segments;  // 0: by length
layout(location = 0) flat in uint control[];
layout(location = 0) flat out uint piece[];

void main() {
    uint c = control[0];
    piece[gl_InvocationID] = c;
    vec3 a = controls[c].position_radius.xyz, b = controls[c + 1u].position_radius.xyz;
    float away = max(dot(0.5 * (a + b) - frame.eye.xyz, frame.camera_forward.xyz), frame.eye.w);
    float pixels = distance(a, b) * frame.viewport.z / away;
    float wanted = fixed_segments > 0.0 ? fixed_segments : ceil(pixels / pixels_per_segment);
    gl_TessLevelOuter[0] = 1.0;
    gl_TessLevelOuter[1] = clamp(wanted, 1.0, most_segments);
}
