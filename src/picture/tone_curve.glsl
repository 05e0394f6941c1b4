// Tone mapping and sRGB encoding. Valid in GLSL and, with glm, in C++ (picture/studio.cpp), so that
// all renderers share it.

// A sigmoid with toe and shoulder, the response of film and of the eye (Naka and Rushton 1966). Its
// parameters keep 18 % grey and map `white` to 1.
vec3 film(vec3 x) {
    const float n = 1.25f, middle = 0.575f, white = 6.0f;
    vec3 y = pow(max(x, 0.0f), vec3(n));
    return y / (y + middle) * (1.0f + middle / pow(white, n));
}

vec3 to_srgb(vec3 x) {
    return mix(12.92f * x, 1.055f * pow(max(x, 0.0f), vec3(1.0f / 2.4f)) - 0.055f,
               step(vec3(0.0031308f), x));
}

// Fixed noise of half a byte, which prevents banding of the backdrop. `at` is a pixel, counted from
// the lower left corner.
float grain(uvec2 at) {
    uint x = at.x * 1973u + at.y * 9277u + 26699u;
    x = (x ^ (x >> 15)) * 0x7feb352du;
    x ^= x >> 13;
    return float(x & 0xffffu) / 65536.0f - 0.5f;
}

// The sRGB colour, from 0 to 1, of exposed linear light.
vec3 developed(vec3 light) {
    // Blends mapping per channel, as film does, with mapping by the brightest channel, which
    // preserves hue.
    float peak = max(max(light.r, light.g), max(light.b, 1e-5f));
    vec3 mapped = mix(film(light), light / peak * film(vec3(peak)), 0.65f);
    return to_srgb(clamp(mapped, 0.0f, 1.0f));
}
