#version 450 core
// Averages the layer of strands, premultiplied colour and transmittance, over each pixel of the image
// and blends it.
#include "layer.glsl"
layout(local_size_x = kImageGroupSide, local_size_y = kImageGroupSide) in;
layout(std430, binding = kTileStateBinding) readonly buffer States { uint tile_states[]; };
layout(binding = kInputUnit) uniform sampler2D layer;
layout(binding = kResolvedImage, rgba16f) uniform image2D resolved;
layout(location = kTileCountsUniform) uniform ivec2 tile_counts;

// Strands that opaque pixels leave out have the mean colour of those in front of them.
vec4 completed(vec4 pixel) {
    return pixel.a > kOpaque ? pixel : vec4(pixel.rgb / (1.0 - pixel.a), 0);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) + layer_box.xy;
    ivec2 first = ivec2(gl_GlobalInvocationID.xy) * layer_scale;
    if (any(greaterThanEqual(first, layer_box.zw))) return;
    ivec2 tile = first / kTilePixels;
    if (tile_states[tile.y * tile_counts.x + tile.x] == kEmptyTile) return;
    int texture_width = textureSize(layer, 0).x;
    vec4 sum = vec4(0);
    for (int y = 0; y < layer_scale; ++y)
        for (int x = 0; x < layer_scale; ++x)
            sum += completed(
                texelFetch(layer, texel_in_layer(first + ivec2(x, y), texture_width), 0));
    vec4 strands = sum / float(layer_scale * layer_scale);
    imageStore(resolved, at, vec4(strands.rgb + strands.a * imageLoad(resolved, at).rgb, 1));
}
