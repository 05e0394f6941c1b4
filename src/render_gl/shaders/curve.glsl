// The strands as curves through the simulated vertices.

// struct ControlVertex of strand_stream.h.
struct Control {
    vec4 position_radius;
    uvec4 packed_rest;  // colour halves (2), tangent xy, tangent z and parameter along the strand
};
layout(std430, binding = kControlBinding) readonly buffer Controls { Control controls[]; };
// The number of the control vertex at which the bound buffer range begins.
layout(location = kFirstControlUniform) uniform uint first_control;

uint along_of(uint c) { return controls[c].packed_rest.w >> 16; }
vec3 colour_of(uint c) {
    return vec3(unpackHalf2x16(controls[c].packed_rest.x),
                unpackHalf2x16(controls[c].packed_rest.y).x);
}
vec3 tangent_of(uint c) {
    return vec3(unpackSnorm2x16(controls[c].packed_rest.z),
                unpackSnorm2x16(controls[c].packed_rest.w).x);
}

// The strand's random number; for strands of a coat of fur, kFurTone plus the tone of the vertex
// (fur_light.glsl).
float random_of(uint c) { return unpackHalf2x16(controls[c].packed_rest.y).y; }

struct Point {
    vec3 position, tangent, colour;
    float radius, along, random;
    uint control;  // the control vertex before the point
    float share;   // of a drawn segment in the curve between two control vertices
};

// Evaluates the Catmull-Rom curve from control vertex c to c + 1. The missing neighbours of roots
// and tips are mirror images of the existing ones.
Point point_on_curve(uint c, float t) {
    Point p;
    bool is_tip = along_of(c) == kTipAlong;
    uint next = is_tip ? c : c + 1;
    vec4 p1 = controls[c].position_radius, p2 = controls[next].position_radius;
    vec4 p0 = along_of(c) == 0u || is_tip ? 2.0 * p1 - p2 : controls[c - 1].position_radius;
    vec4 p3 = along_of(next) == kTipAlong ? 2.0 * p2 - p1 : controls[next + 1].position_radius;
    vec3 a = -p0.xyz + 3.0 * p1.xyz - 3.0 * p2.xyz + p3.xyz;
    vec3 b = 2.0 * p0.xyz - 5.0 * p1.xyz + 4.0 * p2.xyz - p3.xyz;
    vec3 d = p2.xyz - p0.xyz;
    p.position = p1.xyz + 0.5 * t * (d + t * (b + t * a));
    vec3 slope = d + t * (2.0 * b + 3.0 * t * a);
    float steep = length(slope);
    p.tangent = steep > 1e-9 ? slope / steep : tangent_of(c);
    p.tangent = is_tip ? tangent_of(c) : p.tangent;
    p.colour = mix(colour_of(c), colour_of(next), t);
    p.radius = mix(p1.w, p2.w, t);
    p.along = mix(float(along_of(c)), float(along_of(next)), t) / 65535.0;
    p.random = random_of(c);
    if (p.random >= kFurTone) p.random = mix(p.random, random_of(next), t);
    p.control = c;
    p.share = 1.0;
    return p;
}
