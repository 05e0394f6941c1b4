#version 450 core
// Depth of every drawn segment's middle as a key: the farthest first, the hidden last. An
// invocation per control vertex.
#include "frame.glsl"
#include "curve.glsl"
layout(local_size_x = 64) in;
layout(std430, binding = 2) writeonly buffer Keys { uint keys[]; };
layout(std430, binding = 3) writeonly buffer Segments { uint segments[]; };

layout(location = 1) uniform uvec2 wanted;  // control vertices: the first, and how many
layout(location = 2) uniform uint subdivision;
layout(location = 3) uniform vec2 depth_keys;  // depth of key 0, m, and keys per metre towards us
layout(location = 4) uniform vec2 limits;  // length and bow of a drawn segment, pixels; 0: any

const uint kNearest = 32766u, kHidden = 32767u;
const uint kSpanShift = 29u;  // above the segment's number

vec3 from_eye(uint c) { return controls[c].position_radius.xyz - frame.eye.xyz; }

// Pieces between drawn vertices that one segment may span and still be short and straight enough as
// seen from the camera: a part of `subdivision`. p: the control vertices around, from the eye.
uint span_of(vec3 p[4]) {
    vec3 middle = 0.5 * (p[1] + p[2]), forward = frame.camera_forward.xyz;
    float away = max(dot(middle, forward), frame.eye.w);
    vec3 sight = middle / away;
    vec3 bows = 0.5 * (p[0] - p[1] - p[2] + p[3]), run = p[2] - p[1];
    bows -= sight * dot(bows, forward);
    run -= sight * dot(run, forward);
    float scale = frame.viewport.z / away;
    float wanted = max(length(run) * scale / limits.x, sqrt(length(bows) / 8.0 * scale / limits.y));
    uint pieces = 1u;
    while (pieces < subdivision && (float(pieces) < wanted || subdivision % pieces != 0u)) ++pieces;
    return subdivision / pieces;
}

void main() {
    if (gl_GlobalInvocationID.x >= wanted.y) return;
    uint first = (wanted.x + gl_GlobalInvocationID.x) * subdivision;
    uint c = wanted.x + gl_GlobalInvocationID.x - first_control, along = along_of(c);
    bool is_tip = along == 65535u;
    uint next = is_tip ? c : c + 1u;
    vec3 p[4];
    p[1] = from_eye(c);
    p[2] = from_eye(next);
    p[0] = along == 0u || is_tip ? 2.0 * p[1] - p[2] : from_eye(c - 1u);
    p[3] = along_of(next) == 65535u ? 2.0 * p[2] - p[1] : from_eye(next + 1u);
    // Depth is linear in position, so the curve's depth is the same spline of the vertices' depths.
    vec4 z = frame.camera_forward.xyz * mat4x3(p[0], p[1], p[2], p[3]);
    bool is_hidden = is_tip || min(z[1], z[2]) < frame.eye.w;
    float a = -z[0] + 3.0 * z[1] - 3.0 * z[2] + z[3];
    float b = 2.0 * z[0] - 5.0 * z[1] + 4.0 * z[2] - z[3];
    uint span = limits.x > 0.0 ? span_of(p) : 1u;
    for (uint j = 0u; j < subdivision; ++j) {
        float t = (float(j) + 0.5 * float(span)) / float(subdivision);
        float depth = z[1] + 0.5 * t * (z[2] - z[0] + t * (b + t * a));
        float key = clamp((depth_keys.x - depth) * depth_keys.y, 0.0, float(kNearest));
        keys[first + j] = is_hidden || j % span != 0u ? kHidden : uint(key);
        segments[first + j] = first + j | (span - 1u) << kSpanShift;
    }
}
