#version 450 core
// Averages the layer of strands, premultiplied colour and transmittance, over each pixel of the image
// and blends it.
#include "layer.glsl"
layout(local_size_x = kImageGroupSide, local_size_y = kImageGroupSide) in;
layout(std430, binding = kTileStateBinding) readonly buffer States { uint tile_states[]; };
layout(binding = kInputUnit) uniform sampler2D layer;
layout(binding = kEdgeUnit) uniform sampler2D mesh_left;  // strands_tile.glsl
layout(binding = kResolvedImage, rgba16f) uniform image2D resolved;
layout(location = kTileCountsUniform) uniform ivec2 tile_counts;

// Strands that opaque pixels leave out have the mean colour of those in front of them. Returns the
// colour; `left` has the transmittance to the samples behind and to those in front, whose share is
// `share`.
vec3 completed(vec3 colour, inout vec2 left, float share) {
    if (left.x > kOpaque) return colour;
    vec2 shares = vec2(1.0 - share, share);
    float drawn = 1.0 - dot(left, shares);
    left = vec2(0, left.y > kOpaque ? left.y : 0.0);
    return colour * ((1.0 - left.y * share) / drawn);
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) + layer_box.xy;
    ivec2 first = ivec2(gl_GlobalInvocationID.xy) * layer_scale;
    if (any(greaterThanEqual(first, layer_box.zw))) return;
    ivec2 tile = first / kTilePixels;
    if (tile_states[tile.y * tile_counts.x + tile.x] == kEmptyTile) return;
    int texture_width = textureSize(layer, 0).x;
    vec4 behind = imageLoad(resolved, at);
    float share = behind.a;
    vec3 sum = vec3(0);
    vec2 sum_left = vec2(0);
    for (int y = 0; y < layer_scale; ++y)
        for (int x = 0; x < layer_scale; ++x) {
            ivec2 texel = texel_in_layer(first + ivec2(x, y), texture_width);
            vec4 pixel = texelFetch(layer, texel, 0);
            vec2 left = vec2(pixel.a, share > 0.0 ? texelFetch(mesh_left, texel, 0).x : 1.0);
            sum += completed(pixel.rgb, left, share);
            sum_left += left;
        }
    float each = 1.0 / float(layer_scale * layer_scale);
    sum_left *= each;
    imageStore(resolved, at, vec4(sum * each + sum_left.x * behind.rgb, sum_left.y * share));
}
