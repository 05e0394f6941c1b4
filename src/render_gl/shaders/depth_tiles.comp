#version 450 core
// The farthest depth of each tile of the picture: what lies behind it is seen nowhere in the tile.
layout(local_size_x = 64) in;
layout(binding = 8) uniform sampler2D depths;
layout(std430, binding = 4) writeonly buffer Tiles { float tiles[]; };
layout(location = 0) uniform ivec2 tile_counts;

const int kTilePixels = 8;

void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i >= tile_counts.x * tile_counts.y) return;
    ivec2 first = ivec2(i % tile_counts.x, i / tile_counts.x) * kTilePixels;
    ivec2 last = min(first + kTilePixels, textureSize(depths, 0));
    float far = 0.0;
    for (int y = first.y; y < last.y; ++y)
        for (int x = first.x; x < last.x; ++x)
            far = max(far, texelFetch(depths, ivec2(x, y), 0).x);
    tiles[i] = far;
}
