#version 450 core
// Tone mapping and sRGB encoding.
#include "frame.glsl"
#include "front.glsl"
layout(local_size_x = kImageGroupSide, local_size_y = kImageGroupSide) in;
layout(binding = kInputUnit) uniform sampler2D hdr;
layout(binding = kToneImage, rgba8) writeonly uniform image2D toned;

#include "tone_curve.glsl"

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    // The image may be larger than the picture.
    if (any(greaterThanEqual(at, textureSize(hdr, 0)))) return;
    vec3 light = light_of(texelFetch(hdr, at, 0), at);
    if (frame.ground.w > 0.5) {
        imageStore(toned, at, vec4(light, 1));
        return;
    }
    light *= frame.background.w;
    imageStore(toned, at, vec4(developed(light) + grain(uvec2(at)) / 255.0, 1));
}
