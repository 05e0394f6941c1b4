#version 450 core
// Adds the cover of every strand to the bin of depth that it lies in.
#include "frame.glsl"
#include "opacity.glsl"
#include "curve.glsl"
#include "light_lines.glsl"
layout(binding = kOpaqueMapUnit) uniform sampler2DShadow opaque_map;
layout(binding = kStrandDepthUnit) uniform sampler2D strand_depth_map;
layout(location = kControlRangeUniform) uniform uvec2 control_range;  // first, count
layout(std430, binding = kLightSumBinding) buffer Bins { uint bins[]; };  // [texel][bin]

void visit(ivec2 texel, float depth, float cover) {
    // Strands behind a mesh are in its shadow. Omitting them here lets meshes use the total opacity
    // of a texel without comparing depths.
    float scale = frame.rim_colour.w;
    vec2 at = (vec2(texel) + 0.5) / float(map_size);
    float lit = textureLod(opaque_map, vec3(at, depth - 0.004 * scale / frame.key_direction.w), 0.0);
    uint amount = uint(min(cover * lit, kMaxCover) * kCoverScale + 0.5);
    if (amount == 0u) return;
    float first = texelFetch(strand_depth_map, texel, 0).x;
    float behind = (depth - first) * frame.key_direction.w;
    int bin = 0;
    for (int i = 0; i + 1 < kOpacityBins; ++i) bin += int(behind > kBinEnds[i] * scale);
    atomicAdd(bins[(texel.y * map_size + texel.x) * kOpacityBins + bin], amount);
}

// The share of a texel that the strand covers, from its width and direction at control vertex c.
float cover_of(uint c) {
    vec2 across = abs((frame.light_matrix * vec4(tangent_of(c), 0)).xy);
    float stretch = length(across) / max(max(across.x, across.y), 1e-6);
    return 2.0 * controls[c].position_radius.w * float(map_size) / frame.key_colour.w * stretch *
           float(stride);
}

void main() {
    if (gl_GlobalInvocationID.x >= control_range.y) return;
    uint c = control_range.x + gl_GlobalInvocationID.x - first_control;
    if (along_of(c) == kTipAlong) return;
    visit_line(controls[c].position_radius.xyz, controls[c + 1u].position_radius.xyz,
               vec2(cover_of(c), cover_of(c + 1u)), random_of(c));
}
