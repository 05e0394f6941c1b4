#version 450 core
// The farthest depth of each tile of the image. A segment behind it is hidden in the whole tile.
layout(local_size_x = kGroupSize) in;
layout(binding = kInputUnit) uniform sampler2D depths;
layout(std430, binding = kDepthTileBinding) writeonly buffer Tiles { float tiles[]; };
layout(location = kTileCountsUniform) uniform ivec2 tile_counts;

void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i >= tile_counts.x * tile_counts.y) return;
    ivec2 first = ivec2(i % tile_counts.x, i / tile_counts.x) * kDepthTilePixels;
    ivec2 last = min(first + kDepthTilePixels, textureSize(depths, 0));
    float far = 0.0;
    for (int y = first.y; y < last.y; ++y)
        for (int x = first.x; x < last.x; ++x)
            far = max(far, texelFetch(depths, ivec2(x, y), 0).x);
    tiles[i] = far;
}
