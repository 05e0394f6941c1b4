#version 450 core
// One drawn vertex per invocation: its place on the curve, its light, its two ribbon corners.
#include "frame.glsl"
#include "opacity.glsl"
#include "light.glsl"
layout(local_size_x = 64) in;

// struct ControlVertex of strand_stream.h.
struct Control {
    vec4 position_radius;
    uvec4 packed_rest;  // colour halves (2), tangent x y, tangent z and place along the strand
};
layout(std430, binding = 1) readonly buffer Controls { Control controls[]; };

// Attribute layout of strand_stream.cpp: clip position; colour and opacity as halves; distance from
// the centre line, radius and footprint as halves, in pixels.
struct Corner {
    vec4 clip;
    uvec4 halves;
};
layout(std430, binding = 2) writeonly buffer Corners { Corner corners[]; };

layout(location = 0) uniform uint first_control;  // of the buffer range, counted in all controls
layout(location = 1) uniform uint first_vertex;   // drawn vertex of the first invocation
layout(location = 2) uniform uint vertex_count;
layout(location = 3) uniform uint subdivision;

uint along_of(uint c) { return controls[c].packed_rest.w >> 16; }
vec3 colour_of(uint c) {
    return vec3(unpackHalf2x16(controls[c].packed_rest.x),
                unpackHalf2x16(controls[c].packed_rest.y).x);
}
vec3 tangent_of(uint c) {
    return vec3(unpackSnorm2x16(controls[c].packed_rest.z),
                unpackSnorm2x16(controls[c].packed_rest.w).x);
}

struct Point {
    vec3 position, tangent, colour;
    float radius, along, random;
};

// The Catmull-Rom curve through the control vertices; the missing neighbours of root and tip mirror
// the ones there are.
Point point_on_curve(uint c, float t) {
    Point p;
    bool is_tip = along_of(c) == 65535u;
    uint next = is_tip ? c : c + 1;
    vec4 p1 = controls[c].position_radius, p2 = controls[next].position_radius;
    vec4 p0 = along_of(c) == 0u || is_tip ? 2.0 * p1 - p2 : controls[c - 1].position_radius;
    vec4 p3 = along_of(next) == 65535u ? 2.0 * p2 - p1 : controls[next + 1].position_radius;
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
    p.random = unpackHalf2x16(controls[c].packed_rest.y).y;
    return p;
}

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

// A colour that means something: only as much shade as tells strands apart.
vec3 plain(Point p) {
    float along = dot(frame.key_direction.xyz, p.tangent);
    return p.colour * (0.45 + 0.4 * sqrt(max(1.0 - along * along, 0.0)) + 0.15 * p.random);
}

void main() {
    if (gl_GlobalInvocationID.x >= vertex_count) return;
    uint vertex = first_vertex + gl_GlobalInvocationID.x;
    uint c = vertex / subdivision - first_control;
    float t = float(vertex % subdivision) / float(subdivision);
    Point p = point_on_curve(c, t);

    vec4 clip = frame.view_projection * vec4(p.position, 1);
    vec4 onward = frame.view_projection * vec4(p.tangent, 0);
    vec2 direction = (onward.xy * clip.w - clip.xy * onward.w) * frame.viewport.xy;
    float run = length(direction);
    direction = run > 1e-12 ? direction / run : vec2(1, 0);
    vec2 normal = vec2(-direction.y, direction.x);

    float radius = p.radius * frame.viewport.z / max(clip.w, frame.eye.w);
    // A pixel square seen along the strand is a trapezoid of these two widths.
    vec2 footprint = vec2(max(abs(normal.x), abs(normal.y)), min(abs(normal.x), abs(normal.y)));
    footprint.y = max(footprint.y, 0.02);
    // Wide enough for every sample of every pixel the strand touches.
    float reach = radius + (footprint.x + footprint.y) * frame.viewport.w;
    vec2 offset = normal * reach * 2.0 / frame.viewport.xy * clip.w;

    vec3 colour = frame.ground.w > 0.5 ? p.colour : frame.hair.w > 0.5 ? plain(p) : shade(p);
    colour = clamp(colour, 0.0, 1000.0);
    uvec2 colour_halves = uvec2(packHalf2x16(colour.rg), packHalf2x16(vec2(colour.b, 1)));
    uvec2 left_halves = uvec2(packHalf2x16(vec2(reach, radius)), packHalf2x16(footprint));
    uvec2 right_halves = uvec2(packHalf2x16(vec2(-reach, radius)), left_halves.y);
    uint left = gl_GlobalInvocationID.x * 2u;
    corners[left] = Corner(clip + vec4(offset, 0, 0), uvec4(colour_halves, left_halves));
    corners[left + 1u] = Corner(clip - vec4(offset, 0, 0), uvec4(colour_halves, right_halves));
}
