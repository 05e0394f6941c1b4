#version 450 core
// Blends the segments of a tile over its pixels from front to back. One workgroup per tile, one
// invocation per strip of four pixels. Segments are loaded in batches, and each is drawn by the
// blocks of pixels that it touches.
#include "segment.glsl"
#include "round.glsl"
#include "coverage.glsl"
layout(local_size_x = kTileGroupSize) in;
// The sorted pairs, or after the last round all segments from back to front.
layout(std430, binding = kSortSegmentBinding) readonly buffer Segments { uint segments[]; };
layout(std430, binding = kTileRangeBinding) readonly buffer Ranges { uvec2 ranges[]; };
layout(std430, binding = kOpaqueTileBinding) buffer Opaque { uint is_opaque[]; };
layout(location = kIsUnbinnedUniform) uniform bool is_unbinned;
layout(binding = kInputUnit) uniform sampler2D depth_map;  // of the farthest sample of meshes
layout(binding = kEdgeUnit) uniform sampler2D edge_map;    // written by resolve.comp
// The strands drawn so far: premultiplied colour and transmittance.
layout(binding = kLayerImage, rgba32f) uniform image2D layer;

const uint kBatch = uint(kTileGroupSize);
const int kBlocksAcross = kTilePixels / kBlockWidth;
const int kBlocks = kBlocksAcross * (kTilePixels / kBlockHeight);
const int kStripsAcross = kBlockWidth / kStripPixels;  // in a block
const int kStripsPerBlock = kStripsAcross * kBlockHeight;
const int kWords = kTileGroupSize / 32;
const float kOpaque = 1.0 / 1024.0;  // a smaller transmittance counts as none
const vec4 kColumns = vec4(0, 1, 2, 3);

// Four neighbouring pixels: premultiplied colour and transmittance of the strands so far, and the
// depths of the meshes (resolve.comp): nearest, share of the pixel in front of the middle, farthest.
struct Strip {
    vec4 red, green, blue, left;
    vec4 mesh_near, mesh_share, mesh_far;
};

// The segments of a batch.
shared vec4 lines[kBatch];     // both ends, in pixels from the corner of the tile
shared uvec4 shapes[kBatch];   // directions of the ends; halves: their radii, their blues
shared uvec4 colours[kBatch];  // halves: red and green of the ends; floats: their depths
shared uint touched[kBlocks * kWords];  // [block][word]: a bit for each segment
shared uint is_live;                    // whether a pixel is not opaque yet

void load(uint slot, uint segment, vec2 corner) {
    uint first = first_vertex_of(segment), last = last_vertex_of(segment);
    StrandVertex a = vertices[first], b = vertices[last];
    vec2 end_a = unpackHalf2x16(a.radius_blue), end_b = unpackHalf2x16(b.radius_blue);
    lines[slot] = vec4(a.pixel - corner, b.pixel - corner);
    shapes[slot] = uvec4(a.direction, b.direction, packHalf2x16(vec2(end_a.x, end_b.x)),
                         packHalf2x16(vec2(end_a.y, end_b.y)));
    colours[slot] = uvec4(a.red_green, b.red_green, floatBitsToUint(a.depth),
                          floatBitsToUint(b.depth));
    Outline o = Outline(lines[slot].xy, lines[slot].zw, max(end_a.x, end_b.x) + 0.7072);
    uint word = slot / 32u, bit = 1u << (slot % 32u);
    vec2 size = vec2(kBlockWidth, kBlockHeight), half_size = 0.5 * (size - 1.0);
    for (int block = 0; block < kBlocks; ++block) {
        vec2 middle = (vec2(block % kBlocksAcross, block / kBlocksAcross) + 0.5) * size;
        if (touches(o, middle, half_size)) atomicOr(touched[block * kWords + int(word)], bit);
    }
}

// The shares of four pixels that a segment covers; `t`: where along the segment. The segment ends
// at the lines across the strand through its vertices, so that each pixel belongs to one of two
// neighbours. `pixel` is the centre of the first pixel.
vec4 cover_of(uint slot, vec2 pixel, out vec4 t) {
    vec4 ends = lines[slot];
    uvec3 shape = shapes[slot].xyz;
    vec2 run = ends.zw - ends.xy, from_a = pixel - ends.xy, from_b = pixel - ends.zw;
    float len = length(run);
    vec2 along_a = unpackSnorm2x16(shape.x), along_b = unpackSnorm2x16(shape.y);
    vec2 along = len > 1e-4 ? run / len : along_a;
    // Where a strand turns sharply on screen, as one that points at the camera, such a line would
    // lie along the segment.
    if (dot(along_a, along) < 0.5) along_a = along;
    if (dot(along_b, along) < 0.5) along_b = along;
    vec4 d = along.x * from_a.y - along.y * (from_a.x + kColumns);
    t = clamp((dot(from_a, along) + along.x * kColumns) / max(len, 1e-4), 0.0, 1.0);
    vec4 after_a = dot(from_a, along_a) + along_a.x * kColumns;
    vec4 after_b = dot(from_b, along_b) + along_b.x * kColumns;
    vec2 radii = unpackHalf2x16(shape.z);
    vec4 cover = strand_cover(d, radii.x + (radii.y - radii.x) * t, pixel_profile(along));
    return mix(vec4(0), cover, lessThan(after_b, vec4(0))) * step(0.0, after_a);
}

// Adds a segment behind what the pixels have.
void blend(uint slot, vec2 pixel, inout Strip strip) {
    vec4 t;
    vec4 alpha = cover_of(slot, pixel, t);
    if (alpha == vec4(0)) return;
    uvec4 packed_colours = colours[slot];
    vec2 depths = uintBitsToFloat(packed_colours.zw);
    vec4 depth = depths.x + (depths.y - depths.x) * t;
    alpha *= 1.0 - strip.mesh_share * step(strip.mesh_near, depth);
    alpha *= vec4(lessThan(depth, strip.mesh_far)) * strip.left;
    vec2 red_green_a = unpackHalf2x16(packed_colours.x), blues = unpackHalf2x16(shapes[slot].w);
    vec2 change = unpackHalf2x16(packed_colours.y) - red_green_a;
    strip.red += alpha * (red_green_a.x + change.x * t);
    strip.green += alpha * (red_green_a.y + change.y * t);
    strip.blue += alpha * (blues.x + (blues.y - blues.x) * t);
    strip.left -= alpha;
}

uint segment_at(uint i) {
    return is_unbinned ? segments[round_state.visible - 1u - i] : segments[i];
}

bool is_open(Strip strip) { return any(greaterThan(strip.left, vec4(kOpaque))); }

// Blends a range of segments. Returns whether all pixels of the tile are opaque.
bool blend_range(uvec2 range, vec2 corner, vec2 pixel, inout Strip strip) {
    uint thread = gl_LocalInvocationIndex;
    int block = int(thread) / kStripsPerBlock;
    for (uint first = range.x;; first += kBatch) {
        if (thread < kBlocks * kWords) touched[thread] = 0u;
        if (thread == 0u) is_live = 0u;
        barrier();
        if (first + thread < range.y) load(thread, segment_at(first + thread), corner);
        if (is_open(strip)) is_live = 1u;
        barrier();
        bool is_done = is_live == 0u;
        if (is_done || first >= range.y) return is_done;
        for (int word = 0; word < kWords; ++word) {
            uint bits = touched[block * kWords + word];
            while (bits != 0u && is_open(strip)) {
                blend(uint(word) * 32u + uint(findLSB(bits)), pixel, strip);
                bits &= bits - 1u;
            }
        }
        barrier();
    }
}

void main() {
    uint tile = gl_WorkGroupID.y * uint(tile_counts.x) + gl_WorkGroupID.x;
    uvec2 range = is_unbinned ? uvec2(round_state.first, round_state.visible) : ranges[tile];
    if (range.x >= range.y || is_opaque[tile] != 0u) return;
    int thread = int(gl_LocalInvocationIndex), in_block = thread % kStripsPerBlock;
    int block = thread / kStripsPerBlock;
    ivec2 own = ivec2(block % kBlocksAcross, block / kBlocksAcross) *
                    ivec2(kBlockWidth, kBlockHeight) +
                ivec2(in_block % kStripsAcross * kStripPixels, in_block / kStripsAcross);
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * kTilePixels, at = corner + own;
    ivec2 size = imageSize(layer);
    Strip strip;
    for (int i = 0; i < kStripPixels; ++i) {
        ivec2 texel = at + ivec2(i, 0);
        // Pixels outside the image are opaque from the start.
        vec4 sum = all(lessThan(texel, size)) ? imageLoad(layer, texel) : vec4(0);
        texel = min(texel, size - 1);
        vec2 edge = texelFetch(edge_map, texel, 0).xy;
        strip.red[i] = sum.r;
        strip.green[i] = sum.g;
        strip.blue[i] = sum.b;
        strip.left[i] = sum.a;
        strip.mesh_near[i] = edge.x;
        strip.mesh_share[i] = edge.y;
        strip.mesh_far[i] = texelFetch(depth_map, texel, 0).x;
    }
    bool is_done = blend_range(range, vec2(corner), vec2(own) + 0.5, strip);
    for (int i = 0; i < kStripPixels; ++i) {
        ivec2 texel = at + ivec2(i, 0);
        if (all(lessThan(texel, size)))
            imageStore(layer, texel,
                       vec4(strip.red[i], strip.green[i], strip.blue[i], strip.left[i]));
    }
    if (is_done && thread == 0) is_opaque[tile] = 1u;
}
