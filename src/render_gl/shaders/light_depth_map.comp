#version 450 core
// Copies the result of light_nearest.comp into the map of the nearest strands.
layout(local_size_x = kImageGroupSide, local_size_y = kImageGroupSide) in;
layout(std430, binding = kLightSumBinding) readonly buffer Nearest { uint nearest_depths[]; };
layout(binding = kLightMapImage, r32f) writeonly uniform image2D depth_map;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(depth_map);
    if (any(greaterThanEqual(at, size))) return;
    imageStore(depth_map, at, vec4(uintBitsToFloat(nearest_depths[at.y * size.x + at.x])));
}
