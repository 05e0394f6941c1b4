#version 450 core
// Tone mapping and sRGB encoding.
#include "frame.glsl"
layout(local_size_x = kImageGroupSide, local_size_y = kImageGroupSide) in;
layout(binding = kInputUnit) uniform sampler2D hdr;
layout(binding = kToneImage, rgba8) writeonly uniform image2D toned;

// A sigmoid with toe and shoulder, the response of film and of the eye (Naka and Rushton 1966). Its
// parameters keep 18 % grey and map `white` to 1.
vec3 film(vec3 x) {
    const float n = 1.25, middle = 0.575, white = 6.0;
    vec3 y = pow(max(x, 0.0), vec3(n));
    return y / (y + middle) * (1.0 + middle / pow(white, n));
}

vec3 to_srgb(vec3 x) {
    return mix(12.92 * x, 1.055 * pow(max(x, 0.0), vec3(1.0 / 2.4)) - 0.055,
               step(vec3(0.0031308), x));
}

// Fixed noise of half a byte, which prevents banding of the backdrop.
float grain(uvec2 at) {
    uint x = at.x * 1973u + at.y * 9277u + 26699u;
    x = (x ^ (x >> 15)) * 0x7feb352du;
    x ^= x >> 13;
    return float(x & 0xffffu) / 65536.0 - 0.5;
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(toned)))) return;
    vec3 light = texelFetch(hdr, at, 0).rgb;
    if (frame.ground.w > 0.5) {
        imageStore(toned, at, vec4(light, 1));
        return;
    }
    light *= frame.background.w;
    // Blends mapping per channel, as film does, with mapping by the brightest channel, which
    // preserves hue.
    float peak = max(max(light.r, light.g), max(light.b, 1e-5));
    vec3 mapped = mix(film(light), light / peak * film(vec3(peak)), 0.65);
    imageStore(toned, at, vec4(to_srgb(clamp(mapped, 0.0, 1.0)) + grain(uvec2(at)) / 255.0, 1));
}
