#version 450 core
// Blends the segments of a tile over its pixels from front to back. One workgroup per tile, one
// invocation per pixel. Segments are loaded in batches, and each is drawn by the blocks of pixels
// that it touches.
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
layout(binding = kEdgeUnit) uniform sampler2D edge_map;    // written by edge.frag
// The strands drawn so far: premultiplied colour and transmittance.
layout(binding = kLayerImage, rgba32f) uniform image2D layer;

const uint kBatch = uint(kTileGroupSize);
const int kBlocksAcross = kTilePixels / kBlockWidth;
const int kBlocks = kBlocksAcross * (kTilePixels / kBlockHeight);
const int kWords = kTileGroupSize / 32;
const float kOpaque = 1.0 / 1024.0;  // a smaller transmittance counts as none

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

// The share of a pixel that a segment covers; `t`: where along the segment. The segment ends at the
// lines across the strand through its vertices, so that each pixel belongs to one of two neighbours.
float cover_of(uint slot, vec2 pixel, out float t) {
    vec4 ends = lines[slot];
    uvec4 shape = shapes[slot];
    vec2 run = ends.zw - ends.xy, to = pixel - ends.xy;
    float len = length(run);
    vec2 along_a = unpackSnorm2x16(shape.x), along_b = unpackSnorm2x16(shape.y);
    vec2 along = len > 1e-4 ? run / len : along_a;
    // Where a strand turns sharply on screen, as one that points at the camera, such a line would
    // lie along the segment.
    if (dot(along_a, along) < 0.5) along_a = along;
    if (dot(along_b, along) < 0.5) along_b = along;
    float passed = dot(to, along), d = along.x * to.y - along.y * to.x;
    t = clamp(passed / max(len, 1e-4), 0.0, 1.0);
    vec2 radii = unpackHalf2x16(shape.z);
    bool is_inside = dot(to, along_a) >= 0.0 && dot(pixel - ends.zw, along_b) < 0.0;
    return is_inside ? strand_cover(d, mix(radii.x, radii.y, t), pixel_profile(along)) : 0.0;
}

// The share of the pixel in which a strand at this depth is in front of the meshes.
float visibility(float depth, vec3 meshes) {
    return depth >= meshes.z ? 0.0 : depth > meshes.x ? 1.0 - meshes.y : 1.0;
}

// Adds a segment behind what the pixel has.
void blend(uint slot, vec2 pixel, vec3 meshes, inout vec4 sum) {
    float t;
    float alpha = cover_of(slot, pixel, t);
    if (alpha <= 0.0) return;
    uvec4 packed_colours = colours[slot];
    if (meshes.x < 1.0)
        alpha *= visibility(mix(uintBitsToFloat(packed_colours.z),
                                uintBitsToFloat(packed_colours.w), t), meshes);
    vec2 blues = unpackHalf2x16(shapes[slot].w);
    vec3 colour = vec3(mix(unpackHalf2x16(packed_colours.x), unpackHalf2x16(packed_colours.y), t),
                       mix(blues.x, blues.y, t));
    sum.rgb += colour * (alpha * sum.a);
    sum.a *= 1.0 - alpha;
}

uint segment_at(uint i) {
    return is_unbinned ? segments[round_state.visible - 1u - i] : segments[i];
}

// Blends a range of segments. Returns whether all pixels of the tile are opaque.
bool blend_range(uvec2 range, vec2 corner, vec2 pixel, vec3 meshes, inout vec4 sum) {
    uint thread = gl_LocalInvocationIndex;
    int block = int(thread) / (kBlockWidth * kBlockHeight);
    for (uint first = range.x;; first += kBatch) {
        touched[thread] = 0u;
        if (thread == 0u) is_live = 0u;
        barrier();
        if (first + thread < range.y) load(thread, segment_at(first + thread), corner);
        if (sum.a > kOpaque) is_live = 1u;
        barrier();
        bool is_done = is_live == 0u;
        if (is_done || first >= range.y) return is_done;
        for (int word = 0; word < kWords; ++word) {
            uint bits = touched[block * kWords + word];
            while (bits != 0u && sum.a > kOpaque) {
                blend(uint(word) * 32u + uint(findLSB(bits)), pixel, meshes, sum);
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
    int thread = int(gl_LocalInvocationIndex), in_block = thread % (kBlockWidth * kBlockHeight);
    int block = thread / (kBlockWidth * kBlockHeight);
    ivec2 own = ivec2(block % kBlocksAcross * kBlockWidth + in_block % kBlockWidth,
                      block / kBlocksAcross * kBlockHeight + in_block / kBlockWidth);
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * kTilePixels, at = corner + own;
    bool is_image = all(lessThan(at, imageSize(layer)));
    vec4 sum = is_image ? imageLoad(layer, at) : vec4(0);
    ivec2 inside = min(at, imageSize(layer) - 1);
    vec3 meshes = vec3(texelFetch(edge_map, inside, 0).xy, texelFetch(depth_map, inside, 0).x);
    bool is_done = blend_range(range, vec2(corner), vec2(own) + 0.5, meshes, sum);
    if (is_image) imageStore(layer, at, sum);
    if (is_done && thread == 0) is_opaque[tile] = 1u;
}
