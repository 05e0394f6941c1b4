#version 450 core
// Adds the cover of every strand to the bin of depth that it lies in.
#include "frame.glsl"
#include "opacity.glsl"
#include "curve.glsl"
#include "light_lines.glsl"
layout(binding = kOpaqueMapUnit) uniform sampler2DArrayShadow opaque_map;
layout(location = kControlRangeUniform) uniform uvec2 control_range;  // first, count
layout(std430, binding = kNearestBinding) readonly buffer Nearest { uint nearest_depths[]; };
layout(std430, binding = kLightSumBinding) buffer Bins { uint bins[]; };  // [texel][bin]

void visit(ivec2 texel, float depth, float cover) {
    // Strands behind a mesh are in its shadow. Omitting them here lets meshes use the total opacity
    // of a texel without comparing depths.
    float scale = frame.sizes.y, range = frame.lamp_direction[lamp].w;
    vec2 at = (vec2(texel) + 0.5) / float(map_size);
    float lit = texture(opaque_map, vec4(at, lamp, depth - 0.004 * scale / range));
    uint amount = uint(min(cover * lit, kMaxCover) * kCoverScale + 0.5);
    if (amount == 0u) return;
    uint i = index_of(texel);
    float behind = (depth - uintBitsToFloat(nearest_depths[i])) * range;
    int bin = 0;
    for (int k = 0; k + 1 < kOpacityBins; ++k) bin += int(behind > kBinEnds[k] * scale);
    atomicAdd(bins[i * uint(kOpacityBins) + uint(bin)], amount);
}

// The share of a texel that the strand covers, from its width and direction at control vertex c.
float cover_of(uint c) {
    vec2 across = abs((frame.lamp_matrix[lamp] * vec4(tangent_of(c), 0)).xy);
    float stretch = length(across) / max(max(across.x, across.y), 1e-6);
    return 2.0 * controls[c].position_radius.w * float(map_size) / frame.lamp_colour[lamp].w * stretch *
           float(stride);
}

void main() {
    if (gl_GlobalInvocationID.x >= control_range.y) return;
    uint c = control_range.x + gl_GlobalInvocationID.x - first_control;
    if (along_of(c) == kTipAlong) return;
    visit_line(controls[c].position_radius.xyz, controls[c + 1u].position_radius.xyz,
               vec2(cover_of(c), cover_of(c + 1u)), random_of(c));
}
