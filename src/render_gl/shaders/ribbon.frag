#version 450 core
// A strand's opacity in a pixel is exactly the area of their overlap, however thin the strand is.
layout(binding = kEdgeUnit) uniform sampler2D edge_map;  // written by edge.frag
layout(location = 0) in vec4 strand_colour;
layout(location = 1) noperspective in vec4 strand_ribbon;
layout(location = 0) out vec4 colour;

float half_square(float x) {
    float a = max(x, 0.0);
    return 0.5 * a * a;
}

// The share of a pixel on one side of a line at distance x from its centre. It is the integral of
// the pixel's profile across the line, a trapezoid: the convolution of boxes of widths a and b.
float share_beyond(float x, vec2 ab) {
    float outer = 0.5 * (ab.x + ab.y), inner = 0.5 * (ab.x - ab.y);
    return (half_square(x + outer) - half_square(x + inner) - half_square(x - inner) +
            half_square(x - outer)) / (ab.x * ab.y);
}

void main() {
    float d = strand_ribbon.x, r = strand_ribbon.y;
    float cover = share_beyond(d + r, strand_ribbon.zw) - share_beyond(d - r, strand_ribbon.zw);
    vec2 edge = texelFetch(edge_map, ivec2(gl_FragCoord.xy), 0).xy;
    float visible = gl_FragCoord.z > edge.x ? 1.0 - edge.y : 1.0;
    float alpha = clamp(cover, 0.0, 1.0) * strand_colour.a * visible;
    colour = vec4(strand_colour.rgb * alpha, alpha);
}
