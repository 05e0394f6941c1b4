// Along the edge of a mesh, a pixel has two parts: samples in front and samples behind. The resolved
// image has the light of the samples behind and, in alpha, the share of the pixel that shows those in
// front. `front` has the mean light of the samples in front, and is undefined where that share is 0.
layout(binding = kFrontUnit) uniform sampler2D front;

vec3 light_of(vec4 resolved, ivec2 at) {
    return resolved.a > 0.0 ? resolved.rgb + resolved.a * texelFetch(front, at, 0).rgb
                            : resolved.rgb;
}
