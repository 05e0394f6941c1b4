// The light a point of a strand sends to the eye. Needs frame.glsl, opacity.glsl, light.glsl and
// curve.glsl before it.
float gauss(float width, float x) {
    return exp(-0.5 * x * x / (width * width)) / (width * 2.5066283);
}

float fresnel(float cosine) {
    const float kF0 = 0.0465;  // index 1.55
    return kF0 + (1.0 - kF0) * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0);
}

// Reflection, transmission and inner reflection of one fibre (the split of Marschner et al. 2003 in
// the fit of Karis 2016). `through` scales the light that has passed inside.
vec3 fibre(Point p, vec3 l, vec3 v, float through) {
    float sin_l = clamp(dot(l, p.tangent), -1.0, 1.0), sin_v = clamp(dot(v, p.tangent), -1.0, 1.0);
    float cos_d = cos(0.5 * abs(asin(sin_v) - asin(sin_l)));
    vec3 lp = l - sin_l * p.tangent, vp = v - sin_v * p.tangent;
    float cos_phi = dot(lp, vp) * inversesqrt(dot(lp, lp) * dot(vp, vp) + 1e-4);
    float cos_half = sqrt(clamp(0.5 + 0.5 * cos_phi, 0.0, 1.0));
    float rough = frame.hair.y, broad = rough * rough;
    // Scales tilt a little differently from strand to strand, which breaks the highlight up.
    float shift = 0.035 * (0.6 + 0.8 * p.random);
    float tilt = sin_l + sin_v;

    float r = gauss(max(broad * 1.41421 * cos_half, 0.02), tilt + 2.0 * shift) * 0.25 * cos_half *
              fresnel(sqrt(clamp(0.5 + 0.5 * dot(v, l), 0.0, 1.0)));

    float inner = 1.0 / (1.19 / cos_d + 0.36 * cos_d);
    float h = cos_half * (1.0 + inner * (0.6 - 0.8 * cos_phi));
    float f = fresnel(cos_d * sqrt(clamp(1.0 - h * h, 0.0, 1.0)));
    float path = 0.8 * sqrt(clamp(1.0 - h * h * inner * inner, 0.0, 1.0)) / cos_d;
    vec3 pass = pow(p.colour, vec3(path));
    vec3 tt = gauss(max(0.5 * broad, 0.02), tilt - shift) * exp(-3.65 * cos_phi - 3.98) *
              (1.0 - f) * (1.0 - f) * pass;

    f = fresnel(cos_d * 0.5);
    vec3 trt = gauss(2.0 * broad, tilt - 4.0 * shift) * exp(17.0 * cos_phi - 16.78) * (1.0 - f) *
               (1.0 - f) * f * pow(p.colour, vec3(0.8 / cos_d));
    return frame.hair.x * (vec3(2.4 * r) + through * tt + trt * (1.0 + 2.0 * p.random));
}

// Light that has met other strands before: none of the lobes' edge left, the colour deepened.
vec3 scattered(Point p, vec3 l, vec3 v, float depth) {
    vec3 normal = normalize(v - p.tangent * dot(v, p.tangent) + 1e-5);
    float wrap = clamp((dot(normal, l) + 1.0) * 0.25, 0.0, 1.0);
    float along = dot(l, p.tangent);
    float kajiya = sqrt(max(1.0 - along * along, 0.0));
    vec3 hue = p.colour / max(max(p.colour.r, p.colour.g), max(p.colour.b, 1e-3));
    return p.colour * pow(hue, vec3(0.12 + min(depth, 3.0) * 0.35)) * mix(kajiya, wrap, 0.4) / kPi;
}

vec3 shade(Point p) {
    vec3 v = normalize(frame.eye.xyz - p.position);
    float depth = 0.0, open = 1.0;
    vec4 soft = vec4(1);
    if (frame.ground.z > 0.5) {
        vec3 at = to_light_map(p.position);
        depth = soft_opacity(at, 2.0);
        open = opaque_light(at, 0.004);
        soft = grid_light(p.position);
    }
    // Strands pass on part of what they meet, so shade in hair is lighter and warmer than in stone.
    float direct = exp(-1.9 * depth) * open;
    float diffused = exp(-0.8 * depth) * mix(0.12, 1.0, open);
    vec3 l = frame.key_direction.xyz;
    vec3 lit = frame.key_colour.rgb *
               (fibre(p, l, v, 1.0) * direct + scattered(p, l, v, depth) * diffused * 2.0);
    float rim = soft.b;
    l = frame.rim_direction.xyz;
    lit += frame.rim_colour.rgb * (fibre(p, l, v, 0.8) * rim * rim +
                                   scattered(p, l, v, 0.5) * rim);
    vec3 normal = normalize(v - p.tangent * dot(v, p.tangent) + 1e-5);
    float upward = normal.y * 0.5 + 0.5;
    vec3 around = mix(frame.bounce_colour.rgb * soft.g, frame.sky_colour.rgb * soft.r, upward);
    // What reaches the inside has passed other strands and is deeper in colour, not black.
    vec3 hue = p.colour / max(max(p.colour.r, p.colour.g), max(p.colour.b, 1e-3));
    lit += p.colour * (around * 1.15 + 0.10 * frame.sky_colour.rgb * hue * (1.0 - soft.w));
    return lit;
}

vec3 strand_light(Point p) {
    vec3 colour = frame.ground.w > 0.5 ? p.colour : shade(p);
    return clamp(colour, 0.0, 1000.0);
}
