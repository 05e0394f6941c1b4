#version 450 core
// Computes the sort key of every drawn segment from the depth of its middle: the farthest first,
// the hidden last. One invocation per control vertex.
#include "frame.glsl"
#include "curve.glsl"
layout(local_size_x = kGroupSize) in;
layout(std430, binding = kNewKeyBinding) writeonly buffer Keys { uint keys[]; };
layout(std430, binding = kNewSegmentBinding) writeonly buffer Segments { uint segments[]; };
layout(std430, binding = kDepthTileBinding) readonly buffer Tiles { float tiles[]; };
// Per control vertex: the span of the drawn segments that begin between it and the next; 0: hidden.
layout(std430, binding = kSpanBinding) writeonly buffer Spans { uint spans[]; };

layout(location = kControlRangeUniform) uniform uvec2 control_range;  // first, count
layout(location = kSubdivisionUniform) uniform uint subdivision;
layout(location = kDepthKeysUniform) uniform vec2 depth_keys;  // depth of key 0, m; keys per metre
// Largest length and deviation from the curve of a drawn segment, in pixels; 0: unlimited.
layout(location = kSegmentLimitsUniform) uniform vec2 limits;
layout(location = kTileCountsUniform) uniform ivec2 tile_counts;  // 0: no occlusion test

const int kMaxTiles = 5;  // segments that span more tiles a side are not tested

vec3 from_eye(uint c) { return controls[c].position_radius.xyz - frame.eye.xyz; }

// The number of pieces between drawn vertices that one segment can span within the limits; a
// divisor of `subdivision`. p: the four surrounding control vertices, relative to the eye.
uint span_of(vec3 p[4]) {
    vec3 middle = 0.5 * (p[1] + p[2]), forward = frame.camera_forward.xyz;
    float away = max(dot(middle, forward), frame.eye.w);
    vec3 sight = middle / away;
    vec3 seen[3] = vec3[](p[2] - p[1], p[0] - 2.0 * p[1] + p[2], p[1] - 2.0 * p[2] + p[3]);
    for (int i = 0; i < 3; ++i) seen[i] -= sight * dot(seen[i], forward);
    float deviation = (length(seen[1]) + length(seen[2])) / 16.0;
    float scale = frame.viewport.z / away;
    float needed = max(length(seen[0]) * scale / limits.x, sqrt(deviation * scale / limits.y));
    uint pieces = 1u;
    while (pieces < subdivision && (float(pieces) < needed || subdivision % pieces != 0u)) ++pieces;
    return subdivision / pieces;
}

// Whether a segment is outside the image or behind the depths of all its tiles. The curve stays
// inside the convex hull of its Bezier control points. p: the four surrounding control vertices,
// relative to the eye.
bool is_covered(vec3 p[4], float radius) {
    vec3 hull[4] = vec3[](p[1], p[1] + (p[2] - p[0]) / 6.0, p[2] - (p[3] - p[1]) / 6.0, p[2]);
    vec3 low = vec3(1e30), high = vec3(-1e30);
    float near = 1e30;
    for (int i = 0; i < 4; ++i) {
        vec4 clip = frame.view_projection * vec4(hull[i] + frame.eye.xyz, 1);
        if (clip.w < frame.eye.w) return false;
        low = min(low, clip.xyz / clip.w);
        high = max(high, clip.xyz / clip.w);
        near = min(near, clip.w);
    }
    // Ribbons extend at most 0.71 pixels beyond their strand.
    float margin = radius * frame.viewport.z / near + 2.0;
    vec2 from = (low.xy * 0.5 + 0.5) * frame.viewport.xy - margin;
    vec2 to = (high.xy * 0.5 + 0.5) * frame.viewport.xy + margin;
    if (any(lessThan(to, vec2(0))) || any(greaterThan(from, frame.viewport.xy))) return true;
    ivec2 first = ivec2(max(from, vec2(0))) / kDepthTilePixels;
    ivec2 last = min(ivec2(min(to, frame.viewport.xy)) / kDepthTilePixels, tile_counts - 1);
    if (any(greaterThanEqual(last - first, ivec2(kMaxTiles)))) return false;
    float depth = low.z * 0.5 + 0.5 - 1e-6;
    for (int y = first.y; y <= last.y; ++y)
        for (int x = first.x; x <= last.x; ++x)
            if (depth < tiles[y * tile_counts.x + x]) return false;
    return true;
}

void main() {
    if (gl_GlobalInvocationID.x >= control_range.y) return;
    uint control = control_range.x + gl_GlobalInvocationID.x;
    uint first = control * subdivision;
    uint c = control - first_control, along = along_of(c);
    bool is_tip = along == kTipAlong;
    uint next = is_tip ? c : c + 1u;
    vec3 p[4];
    p[1] = from_eye(c);
    p[2] = from_eye(next);
    p[0] = along == 0u || is_tip ? 2.0 * p[1] - p[2] : from_eye(c - 1u);
    p[3] = along_of(next) == kTipAlong ? 2.0 * p[2] - p[1] : from_eye(next + 1u);
    // Depth is linear in position, so the curve's depth is the spline of the vertices' depths.
    vec4 z = frame.camera_forward.xyz * mat4x3(p[0], p[1], p[2], p[3]);
    bool is_hidden = is_tip || min(z[1], z[2]) < frame.eye.w;
    if (!is_hidden && tile_counts.x > 0)
        is_hidden = is_covered(p, max(controls[c].position_radius.w,
                                      controls[next].position_radius.w));
    float a = -z[0] + 3.0 * z[1] - 3.0 * z[2] + z[3];
    float b = 2.0 * z[0] - 5.0 * z[1] + 4.0 * z[2] - z[3];
    uint span = limits.x > 0.0 ? span_of(p) : 1u;
    spans[control] = is_hidden ? 0u : span;
    for (uint j = 0u; j < subdivision; ++j) {
        float t = (float(j) + 0.5 * float(span)) / float(subdivision);
        float depth = z[1] + 0.5 * t * (z[2] - z[0] + t * (b + t * a));
        float key = clamp((depth_keys.x - depth) * depth_keys.y, 0.0, float(kNearestKey));
        keys[first + j] = is_hidden || j % span != 0u ? kHiddenKey : uint(key);
        segments[first + j] = first + j | (span - 1u) << kSpanShift;
    }
}
