// The studio's backdrop: a wall lit from behind the subject, and a floor that blends into it. Valid
// in GLSL and, with glm, in C++ (picture/studio.cpp), so that all renderers share it.

// `screen` is the place in the image, from -1 to 1, upwards, and `centre` that of the subject. The
// wall is brightest behind the subject and falls off towards the corners and upwards.
vec3 wall_light(vec2 screen, vec2 centre, float aspect, vec3 background) {
    vec2 away = (screen - centre - vec2(0.0f, 0.15f)) * vec2(min(aspect, 1.4f), 1.0f);
    float glow = exp(-dot(away, away) * 0.9f);
    float vignette = 1.0f - 0.22f * smoothstep(0.5f, 2.2f, dot(screen, screen));
    float height = mix(1.0f, 0.78f, smoothstep(-0.6f, 1.0f, screen.y));
    return background * height * mix(0.6f, 1.32f, glow) * vignette;
}

// The share of light left on the floor, given the shares of the key light that arrives and of the
// surroundings that the subject hides.
vec3 floor_shade(float key, float contact) {
    float key_share = 0.55f;
    vec3 shade = vec3(mix(1.0f - key_share, 1.0f, key) * (1.0f - 0.62f * contact));
    // Shadows are slightly blue rather than grey.
    return mix(shade, sqrt(shade) * shade, vec3(0.30f, 0.24f, 0.12f));
}

// The floor relative to the wall, at a distance from the subject in units of its radius.
vec3 floor_over_wall(float distance, vec3 shade) {
    float near = 1.0f - smoothstep(1.2f, 4.5f, distance);
    vec3 pool = vec3(1.0f + 0.16f * exp(-distance * distance * 0.35f));
    return mix(vec3(1.0f), pool * shade, near);
}
