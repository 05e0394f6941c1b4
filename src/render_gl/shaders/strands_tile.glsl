// Blends the segments of a tile over its pixels from front to back. One workgroup per tile, one
// invocation per strip of kStripPixels pixels. Segments are loaded in batches, and each is drawn by the
// blocks of pixels that it touches. Needs segment.glsl, round.glsl, layer.glsl and coverage.glsl before it, and:
//   kStripPixels, kTileGroupSize
//   PIXELS       the type of a number per pixel of a strip, float or vec4
//   PIXEL(v, i)  the number of pixel i
//   kColumns     the columns of the pixels in the strip, PIXELS
// and may define
//   UNPACKS_SEGMENTS  computes the shape of a segment where it is drawn: shared memory has fewer words
layout(local_size_x = kTileGroupSize) in;
// The sorted pairs, or after the last round all segments from back to front.
layout(std430, binding = kSortSegmentBinding) readonly buffer Segments { uint segments[]; };
layout(std430, binding = kTileRangeBinding) readonly buffer Ranges { uvec2 ranges[]; };
layout(std430, binding = kTileStateBinding) buffer States { uint tile_states[]; };
layout(location = kIsUnbinnedUniform) uniform bool is_unbinned;
// The first segment of the slice of each list that is drawn now, and its most segments.
layout(location = kSliceUniform) uniform uvec2 slice;
layout(binding = kInputUnit) uniform sampler2D depth_map;  // of the farthest sample of meshes
layout(binding = kEdgeUnit) uniform sampler2D edge_map;    // written by resolve.comp
// The strands drawn so far: premultiplied colour and transmittance.
layout(binding = kLayerImage, rgba32f) uniform image2D layer;
// The transmittance of the strands in front of the samples in front, where a pixel has such samples.
layout(binding = kMeshLeftImage, r32f) uniform image2D mesh_left;

const uint kBatch = uint(kTileGroupSize);
const int kBlocksAcross = kTilePixels / kBlockWidth;
const int kBlocks = kBlocksAcross * (kTilePixels / kBlockHeight);
const int kStripsAcross = kBlockWidth / kStripPixels;  // in a block
const int kStripsPerBlock = kStripsAcross * kBlockHeight;
const int kWords = kTileGroupSize / 32;

// The pixels of a strip: premultiplied colour of the strands so far; their transmittance to the
// samples behind, and to those in front; and the meshes (resolve.comp): nearest depth, share of
// samples in front, farthest depth.
struct Strip {
    PIXELS red, green, blue, left, front_left;
    PIXELS mesh_near, mesh_share, mesh_far;
};

// A segment as it is loaded: positions of its ends from the corner of the tile, depths, directions of
// the strand, and halves: red and green of each end; blue; radius.
struct Loaded {
    vec4 ends;
    vec2 depths;
    uvec2 directions;
    uvec4 colour;
};
// A segment as it is drawn. With p, the centre of a pixel from the corner of the tile:
struct Shape {
    vec4 line;    // direction u; p x u + z: distance from the line; w: see `scale`
    float scale;  // p . u times this, plus line.w, is t
    vec3 profile; // of a pixel
    vec4 along;   // directions of the strand at both ends
    vec2 limits;  // p . direction at each end
};

// The segments of a batch.
shared vec2 depths[kBatch];
shared uvec4 colours[kBatch];
#ifdef UNPACKS_SEGMENTS
shared vec4 ends[kBatch];
shared uvec2 directions[kBatch];
#else
shared vec4 lines[kBatch], scales_profiles[kBatch], alongs[kBatch];
shared vec2 limits[kBatch];
#endif
shared uint touched[kBlocks * kWords];  // [block][word]: a bit for each segment
shared uint is_live;                    // whether a pixel is not opaque yet

void mark_blocks(uint slot, Outline o) {
    uint word = slot / 32u, bit = 1u << (slot % 32u);
    vec2 size = vec2(kBlockWidth, kBlockHeight), half_size = 0.5 * (size - 1.0);
    for (int block = 0; block < kBlocks; ++block) {
        vec2 middle = (vec2(block % kBlocksAcross, block / kBlocksAcross) + 0.5) * size;
        if (touches(o, middle, half_size)) atomicOr(touched[block * kWords + int(word)], bit);
    }
}

Shape shape_of(Loaded s) {
    vec2 from = s.ends.xy, run = s.ends.zw - from;
    vec2 along_a = unpackSnorm2x16(s.directions.x), along_b = unpackSnorm2x16(s.directions.y);
    float len = length(run), scale = 1.0 / max(len, 1e-4);
    vec2 along = len > 1e-4 ? run * scale : along_a;
    // Segments end at the lines across the strand through their vertices. Where a strand turns sharply
    // on screen, as one that points at the camera, such a line would lie along the segment.
    if (dot(along_a, along) < 0.5) along_a = along;
    if (dot(along_b, along) < 0.5) along_b = along;
    // The limits are the same numbers for both segments of a vertex, so that each pixel belongs to
    // one of them.
    return Shape(vec4(along, along.y * from.x - along.x * from.y, -dot(from, along) * scale), scale,
                 profile_of(pixel_boxes(along)), vec4(along_a, along_b),
                 vec2(dot(from, along_a), dot(s.ends.zw, along_b)));
}

void load(uint slot, uint segment, vec2 corner) {
    StrandVertex a = vertices[first_vertex_of(segment)], b = vertices[last_vertex_of(segment)];
    vec2 end_a = unpackHalf2x16(a.radius_blue), end_b = unpackHalf2x16(b.radius_blue);
    Loaded s = Loaded(vec4(a.pixel - corner, b.pixel - corner), vec2(a.depth, b.depth),
                      uvec2(a.direction, b.direction),
                      uvec4(a.red_green, b.red_green, packHalf2x16(vec2(end_a.y, end_b.y)),
                            packHalf2x16(vec2(end_a.x, end_b.x))));
    depths[slot] = s.depths;
    colours[slot] = s.colour;
#ifdef UNPACKS_SEGMENTS
    ends[slot] = s.ends;
    directions[slot] = s.directions;
#else
    Shape shape = shape_of(s);
    lines[slot] = shape.line;
    scales_profiles[slot] = vec4(shape.scale, shape.profile);
    alongs[slot] = shape.along;
    limits[slot] = shape.limits;
#endif
    mark_blocks(slot, Outline(s.ends.xy, s.ends.zw, max(end_a.x, end_b.x) + 0.7072));
}

Shape loaded_shape(uint slot) {
#ifdef UNPACKS_SEGMENTS
    return shape_of(Loaded(ends[slot], vec2(0), directions[slot], uvec4(0)));
#else
    vec4 scale_profile = scales_profiles[slot];
    return Shape(lines[slot], scale_profile.x, scale_profile.yzw, alongs[slot], limits[slot]);
#endif
}

bool any_above(float x, float y) { return x > y; }
bool any_above(vec4 x, float y) { return any(greaterThan(x, vec4(y))); }

// Adds a segment behind what the pixels have. `pixel` is the centre of the first.
void blend(uint slot, vec2 pixel, inout Strip strip) {
    Shape shape = loaded_shape(slot);
    vec4 line = shape.line, along = shape.along;
    vec2 depth_ends = depths[slot];
    uvec4 colour = colours[slot];
    PIXELS x = pixel.x + kColumns;
    PIXELS t = clamp((x * line.x + pixel.y * line.y) * shape.scale + line.w, 0.0, 1.0);
    vec2 radii = unpackHalf2x16(colour.w);
    PIXELS alpha = strand_cover(pixel.y * line.x + line.z - x * line.y,
                                radii.x + (radii.y - radii.x) * t, shape.profile);
    // Each pixel between the ends: from the first on, and before the last.
    alpha *= step(shape.limits.x, x * along.x + pixel.y * along.y);
    alpha *= 1.0 - step(shape.limits.y, x * along.z + pixel.y * along.w);
    if (alpha == PIXELS(0)) return;
    PIXELS depth = depth_ends.x + (depth_ends.y - depth_ends.x) * t;
    // Samples in front are hidden only by strands before them, so that a mesh keeps its edge before
    // dense hair, and the hair hides all of the backdrop beside it.
    PIXELS behind = alpha * (1.0 - step(strip.mesh_far, depth)) * strip.left;
    PIXELS before = alpha * (1.0 - step(strip.mesh_near, depth)) * strip.front_left;
    alpha = behind + strip.mesh_share * (before - behind);
    vec2 red_green = unpackHalf2x16(colour.x), change = unpackHalf2x16(colour.y) - red_green;
    vec2 blues = unpackHalf2x16(colour.z);
    strip.red += alpha * (red_green.x + change.x * t);
    strip.green += alpha * (red_green.y + change.y * t);
    strip.blue += alpha * (blues.x + (blues.y - blues.x) * t);
    strip.left -= behind;
    strip.front_left -= before;
}

uint segment_at(uint i) {
    return is_unbinned ? segments[round_state.visible - 1u - i] : segments[i];
}

bool is_open(Strip strip) { return any_above(strip.left, kOpaque); }

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
    uint state = tile_states[tile];
    if (range.x >= range.y || state == kOpaqueTile || range.y - range.x <= slice.x) return;
    range.x += slice.x;
    bool is_last = range.y - range.x <= slice.y;
    range.y = is_last ? range.y : range.x + slice.y;
    int thread = int(gl_LocalInvocationIndex), in_block = thread % kStripsPerBlock;
    int block = thread / kStripsPerBlock;
    ivec2 own = ivec2(block % kBlocksAcross, block / kBlocksAcross) *
                    ivec2(kBlockWidth, kBlockHeight) +
                ivec2(in_block % kStripsAcross * kStripPixels, in_block / kStripsAcross);
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * kTilePixels, at = corner + own;
    ivec2 size = layer_box.zw;
    int texture_width = imageSize(layer).x;
    Strip strip;
    for (int i = 0; i < kStripPixels; ++i) {
        ivec2 pixel = at + ivec2(i, 0);
        vec4 sum = vec4(0, 0, 0, 1);
        float front_left = 1.0;
        ivec2 texel = layer_box.xy + min(pixel, size - 1) / layer_scale;
        vec2 edge = texelFetch(edge_map, texel, 0).xy;
        if (any(greaterThanEqual(pixel, size))) {
            sum = vec4(0);  // opaque from the start
        } else if (state != kEmptyTile) {
            ivec2 own_texel = texel_in_layer(pixel, texture_width);
            sum = imageLoad(layer, own_texel);
            if (edge.y > 0.0) front_left = imageLoad(mesh_left, own_texel).x;
        }
        PIXEL(strip.red, i) = sum.r;
        PIXEL(strip.green, i) = sum.g;
        PIXEL(strip.blue, i) = sum.b;
        PIXEL(strip.left, i) = sum.a;
        PIXEL(strip.front_left, i) = front_left;
        PIXEL(strip.mesh_near, i) = edge.x;
        PIXEL(strip.mesh_share, i) = edge.y;
        PIXEL(strip.mesh_far, i) = texelFetch(depth_map, texel, 0).x;
    }
    bool is_done = blend_range(range, vec2(corner), vec2(own) + 0.5, strip);
    for (int i = 0; i < kStripPixels; ++i) {
        vec4 sum = vec4(PIXEL(strip.red, i), PIXEL(strip.green, i), PIXEL(strip.blue, i),
                        PIXEL(strip.left, i));
        ivec2 texel = texel_in_layer(at + ivec2(i, 0), texture_width);
        imageStore(layer, texel, sum);
        if (PIXEL(strip.mesh_share, i) > 0.0)
            imageStore(mesh_left, texel, vec4(PIXEL(strip.front_left, i)));
    }
    if (thread != 0) return;
    tile_states[tile] = is_done ? kOpaqueTile : kDrawnTile;
    if (!is_done && !is_last) round_state.is_unfinished = 1u;
}
