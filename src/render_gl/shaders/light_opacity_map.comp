#version 450 core
// Copies the result of light_layers.comp into the opacity map, summed up to the end of each layer.
#include "opacity.glsl"
layout(local_size_x = kImageGroupSide, local_size_y = kImageGroupSide) in;
layout(std430, binding = kLightSumBinding) readonly buffer Layers { uvec4 layers[]; };
layout(binding = kLightMapImage, rgba16f) writeonly uniform image2D opacity_map;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(opacity_map);
    if (any(greaterThanEqual(at, size))) return;
    vec4 own = vec4(layers[at.y * size.x + at.x]) / kCoverScale;
    imageStore(opacity_map, at, vec4(own.x, own.x + own.y, own.x + own.y + own.z,
                                     own.x + own.y + own.z + own.w));
}
