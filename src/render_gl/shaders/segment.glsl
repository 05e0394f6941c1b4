// Drawn vertices on screen, for the compute rasteriser. A segment word holds the number of its
// first vertex and, from bit kSpanShift on, how many vertices later it ends, less one.
struct StrandVertex {
    vec2 pixel;        // from the lower left corner of the layer
    float depth;       // in the depth buffer, 0 near, 1 far
    uint direction;    // unit vector along the strand on screen, packSnorm2x16
    uint radius_blue;  // halves: radius in pixels of the layer, blue
    uint red_green;    // halves
};
layout(std430, binding = kStrandVertexBinding) buffer Vertices { StrandVertex vertices[]; };

uint first_vertex_of(uint segment) { return segment & ((1u << kSpanShift) - 1u); }
uint last_vertex_of(uint segment) {
    return first_vertex_of(segment) + (segment >> kSpanShift) + 1u;
}

// The outline of a segment: all pixels it can touch are within `reach` of the line from a to b.
struct Outline {
    vec2 a, b;
    float reach;
};

Outline outline_of(uint segment) {
    uint first = first_vertex_of(segment), last = last_vertex_of(segment);
    float radius = max(unpackHalf2x16(vertices[first].radius_blue).x,
                       unpackHalf2x16(vertices[last].radius_blue).x);
    // A pixel reaches at most half its diagonal from its centre.
    return Outline(vertices[first].pixel, vertices[last].pixel, radius + 0.7072);
}

// Whether a rectangle can contain the centre of a pixel that the segment touches. `half_size` is
// that of the rectangle around the centres.
bool touches(Outline o, vec2 middle, vec2 half_size) {
    vec2 run = o.b - o.a, to = middle - o.a;
    vec2 outside = abs(to - 0.5 * run) - 0.5 * abs(run) - half_size;
    if (max(outside.x, outside.y) > o.reach) return false;
    return abs(run.x * to.y - run.y * to.x) <=
           o.reach * length(run) + abs(run.x) * half_size.y + abs(run.y) * half_size.x;
}
