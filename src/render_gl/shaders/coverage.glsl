// The share of a pixel that a strand covers.

vec4 square_above(vec4 x) {
    vec4 a = max(x, 0.0);
    return a * a;
}

// The share of a pixel on one side of a line at distance x from its centre, for four pixels. It is
// the integral of the pixel's profile across the line, a trapezoid: the convolution of boxes of
// widths a and b. Beyond the trapezoid it is constant; squares of large distances would not cancel.
vec4 share_beyond(vec4 x, vec2 ab) {
    float outer = 0.5 * (ab.x + ab.y), inner = 0.5 * (ab.x - ab.y);
    vec4 y = clamp(x, -outer, outer);
    return (square_above(y + outer) - square_above(y + inner) - square_above(y - inner)) /
           (2.0 * ab.x * ab.y);
}

// d: distance of the pixel's centre from the centre line; r: radius of the strand; ab: widths of
// the two boxes of the pixel's profile across the strand (pixel_profile).
vec4 strand_cover(vec4 d, vec4 r, vec2 ab) {
    return clamp(share_beyond(d + r, ab) - share_beyond(d - r, ab), 0.0, 1.0);
}

// The same for one pixel.
float square_above(float x) {
    float a = max(x, 0.0);
    return a * a;
}
float share_beyond(float x, vec2 ab) {
    float outer = 0.5 * (ab.x + ab.y), inner = 0.5 * (ab.x - ab.y);
    float y = clamp(x, -outer, outer);
    return (square_above(y + outer) - square_above(y + inner) - square_above(y - inner)) /
           (2.0 * ab.x * ab.y);
}
float strand_cover(float d, float r, vec2 ab) {
    return clamp(share_beyond(d + r, ab) - share_beyond(d - r, ab), 0.0, 1.0);
}

// `across` is a unit vector across the strand on screen.
vec2 pixel_profile(vec2 across) {
    vec2 a = abs(across);
    return vec2(max(a.x, a.y), max(min(a.x, a.y), 0.02));
}
