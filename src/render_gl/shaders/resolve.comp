#version 450 core
// Averages the samples of the meshes over the backdrop, and reduces the depths of the samples: the
// farthest, against which strands are tested, the nearest, and the share of samples in front of the
// middle between the two. A mesh edge then hides strands behind it by the share of the pixel that
// the mesh covers.
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
layout(binding = kEdgeImage, rg32f) writeonly uniform image2D edges;
layout(binding = kFarthestImage, r32f) writeonly uniform image2D farthest;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = textureSize(colours);
    if (any(greaterThanEqual(at, size))) return;
    vec4 sum = vec4(0);
    float near = 1.0, far = 0.0, covered = 0.0;
    if (all(greaterThanEqual(at, box.xy)) && all(lessThan(at, box.zw))) {
        for (int i = 0; i < samples; ++i) {
            float depth = texelFetch(depths, at, i).x;
            if (has_colours || depth < 1.0) sum += texelFetch(colours, at, i);
            near = min(near, depth);
            far = max(far, depth);
        }
        for (int i = 0; i < samples; ++i)
            covered += texelFetch(depths, at, i).x < 0.5 * (near + far) ? 1.0 : 0.0;
    } else {
        far = 1.0;
    }
    vec4 mean = sum / float(samples);
    if (mean.a < 1.0)
        mean.rgb += (1.0 - mean.a) * backdrop((vec2(at) + 0.5) / vec2(size) * 2.0 - 1.0);
    imageStore(resolved, at, vec4(mean.rgb, 1));
    imageStore(edges, at, vec4(near, covered / float(samples), 0, 0));
    imageStore(farthest, at, vec4(far));
}
