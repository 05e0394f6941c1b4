#version 450 core
// Copies the result of light_layers.comp into the opacity map, summed up to the end of each layer,
// and clears the sums of this pass and of light_nearest.comp for the next frame.
#include "opacity.glsl"
layout(local_size_x = kImageGroupSide, local_size_y = kImageGroupSide) in;
layout(std430, binding = kLightSumBinding) buffer Layers { uvec4 layers[]; };
layout(std430, binding = kNearestBinding) writeonly buffer Nearest { uint nearest_depths[]; };
layout(binding = kLightMapImage, rgba16f) writeonly uniform image2D opacity_map;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(opacity_map);
    if (any(greaterThanEqual(at, size))) return;
    int i = at.y * size.x + at.x;
    vec4 own = vec4(layers[i]) / kCoverScale;
    imageStore(opacity_map, at, vec4(own.x, own.x + own.y, own.x + own.y + own.z,
                                     own.x + own.y + own.z + own.w));
    layers[i] = uvec4(0);
    nearest_depths[i] = floatBitsToUint(1.0);
}
