#version 450 core
// Computes the opacity map and the knots from the result of light_layers.comp, and clears the sums of
// that pass and of light_nearest.comp for the next frame.
#include "frame.glsl"
#include "opacity.glsl"
layout(local_size_x = kImageGroupSide, local_size_y = kImageGroupSide) in;
layout(location = kLampUniform) uniform int first_lamp;
layout(std430, binding = kLightSumBinding) buffer Bins { uint bins[]; };  // [texel][bin]
layout(std430, binding = kNearestBinding) buffer Nearest { uint nearest_depths[]; };
layout(binding = kLightMapImage, rg16f) writeonly uniform image2DArray opacity_map;
layout(binding = kKnotImage, rgba16) writeonly uniform image2DArray knot_map;

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID), size = imageSize(opacity_map);
    if (any(greaterThanEqual(at, size))) return;
    int texel = (at.z * size.y + at.y) * size.x + at.x, lamp = first_lamp + at.z;
    at.z = lamp;
    float scale = frame.sizes.y / frame.lamp_direction[lamp].w;
    float first = uintBitsToFloat(nearest_depths[texel]);
    // `count` and `place` are those of the last knot, `total` and `end` those of the last bin.
    float count = 0.0, place = first, total = 0.0, end = first, start = first;
    vec4 knots = vec4(0);
    int knot = 0;
    for (int i = 0; i < kOpacityBins; ++i) {
        uint sum = bins[texel * kOpacityBins + i];
        if (sum != 0u) bins[texel * kOpacityBins + i] = 0u;
        float own = float(sum) / kCoverScale;
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
    bool has_hair = total > 0.0;
    imageStore(opacity_map, at, vec4(total, float(has_hair), 0, 0));
    imageStore(knot_map, at, has_hair ? knots : vec4(0));
    nearest_depths[texel] = floatBitsToUint(1.0);
}
