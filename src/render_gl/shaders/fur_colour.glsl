// The light at a point of fur, and what fur of a colour makes of it.
struct FurLight {
    vec3 diffuse;  // multiplies the colour
    vec3 sheen;    // primary highlight, in the colour of the light
    vec3 glow;     // secondary highlight, multiplies the colour
};

// The light that fur of colour `own` reflects. `slant` is a random number of the strand.
vec3 lit_fur(vec3 own, FurLight light, float slant) {
    // Light that has passed through other strands is more saturated.
    vec3 deep = own * pow(own / max(max(own.r, own.g), max(own.b, 1e-3)), vec3(0.03));
    float gloss = 0.3 + 1.4 * slant;
    return deep * light.diffuse + gloss * (light.sheen + own * light.glow);
}
