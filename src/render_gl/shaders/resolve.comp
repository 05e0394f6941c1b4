#version 450 core
// Averages the samples of the meshes over the backdrop. Along the edge of a mesh, a pixel has samples in
// front of the middle between the nearest and the farthest, and samples behind it. Their light is
// stored apart, because strands between the two hide only those behind (front.glsl).
// Strands are tested against the nearest depth, the share of samples in front, and the farthest depth.
#include "frame.glsl"
#include "opacity.glsl"
#include "light.glsl"
#include "studio.glsl"
#include "backdrop.glsl"
layout(local_size_x = kImageGroupSide, local_size_y = kImageGroupSide) in;
layout(binding = kInputUnit) uniform sampler2DMS colours;  // premultiplied
layout(binding = kSampleDepthUnit) uniform sampler2DMS depths;
layout(location = kSampleCountUniform) uniform int samples;
layout(location = kPixelBoxUniform) uniform ivec4 box;  // the samples outside are undefined
// Whether colours are defined where the depth is 1.
layout(location = kHasColoursUniform) uniform bool has_colours;
layout(binding = kResolvedImage, rgba16f) writeonly uniform image2D resolved;
layout(binding = kFrontImage, rgba16f) writeonly uniform image2D front;
layout(binding = kEdgeImage, rg32f) writeonly uniform image2D edges;
layout(binding = kFarthestImage, r32f) writeonly uniform image2D farthest;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = textureSize(colours);
    if (any(greaterThanEqual(at, size))) return;
    vec4 before = vec4(0), behind = vec4(0);  // sums of samples
    float near = 1.0, far = 1.0, count = 0.0;
    if (all(greaterThanEqual(at, box.xy)) && all(lessThan(at, box.zw))) {
        far = 0.0;
        for (int i = 0; i < samples; ++i) {
            float depth = texelFetch(depths, at, i).x;
            near = min(near, depth);
            far = max(far, depth);
        }
        for (int i = 0; i < samples; ++i) {
            float depth = texelFetch(depths, at, i).x;
            vec4 colour = vec4(0);
            if (has_colours || depth < 1.0) colour = texelFetch(colours, at, i);
            if (depth < 0.5 * (near + far)) {
                before += colour;
                count += 1.0;
            } else {
                behind += colour;
            }
        }
    }
    float share = count / float(samples);
    before /= max(count, 1.0);
    behind /= float(samples);
    vec3 wall = vec3(0);
    if ((count > 0.0 && before.a < 1.0) || behind.a < 1.0 - share)
        wall = backdrop((vec2(at) + 0.5) / vec2(size) * 2.0 - 1.0);
    behind.rgb += (1.0 - share - behind.a) * wall;
    imageStore(resolved, at, vec4(behind.rgb, share));
    if (count > 0.0) imageStore(front, at, vec4(before.rgb + (1.0 - before.a) * wall, 1));
    imageStore(edges, at, vec4(near, share, 0, 0));
    imageStore(farthest, at, vec4(far));
}
