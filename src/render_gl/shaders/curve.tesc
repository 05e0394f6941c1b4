#version 450 core
// Long and curved pieces are divided more finely than short and straight ones; by the rule of
// StrandStream::choose_subdivision, for each piece.
#include "frame.glsl"
#include "curve.glsl"
layout(vertices = 1) out;
layout(location = 1) uniform vec2 limits;  // length and bow of a drawn segment, pixels
layout(location = 2) uniform float most_segments;
layout(location = 3) uniform float fixed_segments;  // 0: by length and curve
layout(location = 0) flat in uint control[];
layout(location = 0) flat out uint piece[];

void main() {
    uint c = control[0];
    piece[gl_InvocationID] = c;
    vec3 a = controls[c].position_radius.xyz, b = controls[c + 1u].position_radius.xyz;
    vec3 before = along_of(c) == 0u ? 2.0 * a - b : controls[c - 1u].position_radius.xyz;
    float away = max(dot(0.5 * (a + b) - frame.eye.xyz, frame.camera_forward.xyz), frame.eye.w);
    vec2 pixels = vec2(distance(a, b), length(b - 2.0 * a + before) / 8.0) * frame.viewport.z / away;
    float wanted = ceil(max(pixels.x / limits.x, sqrt(pixels.y / limits.y)));
    wanted = fixed_segments > 0.0 ? fixed_segments : wanted;
    gl_TessLevelOuter[0] = 1.0;
    gl_TessLevelOuter[1] = clamp(wanted, 1.0, most_segments);
}
