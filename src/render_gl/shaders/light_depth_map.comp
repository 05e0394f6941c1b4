#version 450 core
// Copies the result of light_nearest.comp into the map of the nearest strands. Where each drawn
// strand stands for several, the nearest is found within `reach` texels, because it may be one of
// those that are not drawn.
layout(local_size_x = kImageGroupSide, local_size_y = kImageGroupSide) in;
layout(std430, binding = kLightSumBinding) readonly buffer Nearest { uint nearest_depths[]; };
layout(binding = kLightMapImage, r32f) writeonly uniform image2D depth_map;
layout(location = kReachUniform) uniform int reach;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(depth_map);
    if (any(greaterThanEqual(at, size))) return;
    ivec2 low = max(at - reach, ivec2(0)), high = min(at + reach, size - 1);
    uint nearest = nearest_depths[at.y * size.x + at.x];  // bits of positive floats, in their order
    for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x)
            nearest = min(nearest, nearest_depths[y * size.x + x]);
    imageStore(depth_map, at, vec4(uintBitsToFloat(nearest)));
}
