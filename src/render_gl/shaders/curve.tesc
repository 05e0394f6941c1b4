#version 450 core
// Subdivides each segment by its length and curvature on screen, with the rule of
// StrandStream::choose_subdivision.
#include "frame.glsl"
#include "curve.glsl"
layout(vertices = 1) out;
layout(location = kSegmentLimitsUniform) uniform vec2 limits;  // length and deviation, pixels
layout(location = kMaxSegmentsUniform) uniform float max_segments;
layout(location = kFixedSegmentsUniform) uniform float fixed_segments;  // 0: by the limits
layout(location = 0) flat in uint control[];
layout(location = 0) flat out uint piece[];

void main() {
    uint c = control[0];
    piece[gl_InvocationID] = c;
    vec3 a = controls[c].position_radius.xyz, b = controls[c + 1u].position_radius.xyz;
    vec3 before = along_of(c) == 0u ? 2.0 * a - b : controls[c - 1u].position_radius.xyz;
    float away = max(dot(0.5 * (a + b) - frame.eye.xyz, frame.camera_forward.xyz), frame.eye.w);
    vec2 pixels = vec2(distance(a, b), length(b - 2.0 * a + before) / 8.0);
    pixels *= frame.viewport.z / away;
    float wanted = ceil(max(pixels.x / limits.x, sqrt(pixels.y / limits.y)));
    wanted = fixed_segments > 0.0 ? fixed_segments : wanted;
    gl_TessLevelOuter[0] = 1.0;
    gl_TessLevelOuter[1] = clamp(wanted, 1.0, max_segments);
}
