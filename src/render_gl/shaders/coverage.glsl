// The share of a pixel that a strand covers.

vec4 square_above(vec4 x) {
    vec4 a = max(x, 0.0);
    return a * a;
}

// The share of a pixel on one side of a line at distance x from its centre, for four pixels. It is
// the integral of the pixel's profile across the line, a trapezoid: the convolution of boxes of
// widths a and b. Beyond the trapezoid it is constant; squares of large distances would not cancel.
vec4 share_beyond(vec4 x, vec3 profile) {
    vec4 y = clamp(x, -profile.x, profile.x);
    return (square_above(y + profile.x) - square_above(y + profile.y) -
            square_above(y - profile.y)) * profile.z;
}

// d: distance of the pixel's centre from the centre line; r: radius of the strand; profile: that of
// the pixel across the strand (profile_of).
vec4 strand_cover(vec4 d, vec4 r, vec3 profile) {
    return clamp(share_beyond(d + r, profile) - share_beyond(d - r, profile), 0.0, 1.0);
}

// The same for one pixel.
float square_above(float x) {
    float a = max(x, 0.0);
    return a * a;
}
float share_beyond(float x, vec3 profile) {
    float y = clamp(x, -profile.x, profile.x);
    return (square_above(y + profile.x) - square_above(y + profile.y) -
            square_above(y - profile.y)) * profile.z;
}
float strand_cover(float d, float r, vec3 profile) {
    return clamp(share_beyond(d + r, profile) - share_beyond(d - r, profile), 0.0, 1.0);
}

// The widths of the two boxes of a pixel's profile across a strand. `across` is a unit vector across
// the strand on screen, or along it.
vec2 pixel_boxes(vec2 across) {
    vec2 a = abs(across);
    return vec2(max(a.x, a.y), max(min(a.x, a.y), 0.02));
}

// The profile: half the width of its base, half the width of its top, and 1 / (2 a b) of its boxes.
vec3 profile_of(vec2 boxes) {
    return vec3(0.5 * (boxes.x + boxes.y), 0.5 * (boxes.x - boxes.y),
                0.5 / (boxes.x * boxes.y));
}
