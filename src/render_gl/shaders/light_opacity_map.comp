#version 450 core
// Computes the opacity map from the result of light_layers.comp, and clears the sums of this pass and
// of light_nearest.comp for the next frame.
#include "frame.glsl"
#include "opacity.glsl"
layout(local_size_x = kImageGroupSide, local_size_y = kImageGroupSide) in;
layout(binding = kStrandDepthUnit) uniform sampler2D strand_depth_map;
layout(std430, binding = kLightSumBinding) buffer Bins { uint bins[]; };  // [texel][bin]
layout(std430, binding = kNearestBinding) writeonly buffer Nearest { uint nearest_depths[]; };
layout(binding = kLightMapImage, r16f) writeonly uniform image2D opacity_map;
layout(binding = kKnotImage, rgba16) writeonly uniform image2D knot_map;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(opacity_map);
    if (any(greaterThanEqual(at, size))) return;
    int texel = at.y * size.x + at.x;
    float scale = frame.rim_colour.w / frame.key_direction.w;
    float first = texelFetch(strand_depth_map, at, 0).x;
    // `count` and `place` are those of the last knot, `total` and `end` those of the last bin.
    float count = 0.0, place = first, total = 0.0, end = first, start = first;
    vec4 knots = vec4(1);
    int knot = 0;
    for (int i = 0; i < kOpacityBins; ++i) {
        float own = float(bins[texel * kOpacityBins + i]) / kCoverScale;
        bins[texel * kOpacityBins + i] = 0u;
        float bin_end = first + kBinEnds[i] * scale;
        for (; knot < 4 && total + own >= kKnotCounts[knot]; ++knot) {
            count = kKnotCounts[knot];
            place = mix(start, bin_end, (count - total) / own);
            knots[knot] = place;
        }
        if (own > 0.0) end = bin_end;
        total += own;
        start = bin_end;
    }
    // Continues the last piece to the counts that are not reached, so that neighbouring texels can be
    // interpolated. The total limits the count.
    float slope = total > count ? (end - place) / (total - count) : 0.0;
    for (; knot < 4 && total > 0.0; ++knot)
        knots[knot] = place + slope * (kKnotCounts[knot] - count);
    imageStore(opacity_map, at, vec4(total));
    imageStore(knot_map, at, knots);
    nearest_depths[texel] = floatBitsToUint(1.0);
}
