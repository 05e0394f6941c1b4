#version 450 core
// Skin or clay: soft terminator, a broad highlight, light that grazes the edge.
#include "frame.glsl"
#include "opacity.glsl"
#include "light.glsl"
layout(std430, binding = 0) readonly buffer Colours { uvec2 triangle_colour[]; };
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 outward;
layout(location = 0) out vec4 colour;

const float kRoughness = 0.45;
const float kReflectance = 0.032;  // at normal incidence

// How far light creeps past the terminator, per channel: red goes deepest in skin.
const vec3 kCreep = vec3(0.34, 0.16, 0.11);

vec3 wrapped(float cosine) {
    vec3 lit = clamp((cosine + kCreep) / (1.0 + kCreep), 0.0, 1.0);
    return lit * mix(lit, vec3(1), 0.55) / (1.0 + 0.4 * kCreep);
}

// Trowbridge and Reitz 1975 with Smith's masking in the form of Hammon 2017; includes the cosine.
float highlight(vec3 n, vec3 v, vec3 l) {
    vec3 h = normalize(v + l);
    float nl = max(dot(n, l), 0.0), nv = max(dot(n, v), 1e-3), nh = max(dot(n, h), 0.0);
    float a = kRoughness * kRoughness, a2 = a * a;
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float fresnel = kReflectance + (1.0 - kReflectance) * pow(1.0 - max(dot(v, h), 0.0), 5.0);
    float masking = 0.5 / mix(2.0 * nl * nv, nl + nv, a);
    return a2 / (kPi * d * d) * fresnel * masking * nl;
}

void main() {
    if (frame.ground.w > 0.5) {
        colour = vec4(0, 0, 0, 1);
        return;
    }
    uvec2 packed_colour = triangle_colour[gl_PrimitiveID];
    vec3 albedo = vec3(unpackHalf2x16(packed_colour.x), unpackHalf2x16(packed_colour.y).x);
    vec3 v = normalize(frame.eye.xyz - world);
    vec3 n = normalize(outward);
    n = gl_FrontFacing ? n : -n;
    float nv = clamp(dot(n, v), 0.0, 1.0);

    vec3 key_light = vec3(1);
    float cosine = dot(n, frame.key_direction.xyz);
    if (frame.ground.z > 0.5 && cosine > -0.4) {
        float texel = frame.key_colour.w / float(textureSize(opaque_map, 0).x);
        vec3 at = to_light_map(world + n * (texel * 2.5));
        float open = opaque_light(at, texel * 2.0, 2.2);
        float strands = textureLod(opacity_map, at.xy, 1.6).w;
        // The edge of a shadow on skin is warm.
        key_light = pow(vec3(open), vec3(0.75, 1.0, 1.08)) * exp(-strands * vec3(1.9, 2.3, 2.5));
    }
    vec4 soft = grid_light(world + n * (frame.grid_origin.w * 0.9));
    soft = frame.ground.z > 0.5 ? soft : vec4(1);

    vec3 key = frame.key_colour.rgb * key_light;
    float rim_cosine = dot(n, frame.rim_direction.xyz);
    vec3 rim = frame.rim_colour.rgb * soft.b;
    vec3 diffuse = key * wrapped(cosine) + rim * wrapped(rim_cosine) * 0.8;
    float upward = n.y * 0.5 + 0.5;
    float occlusion = mix(soft.g, soft.r, upward);
    vec3 ambient = mix(frame.bounce_colour.rgb, frame.sky_colour.rgb, upward);
    // Light bounced between near surfaces is tinted: darkening by a power keeps skin from greying.
    vec3 ambient_occlusion = pow(vec3(occlusion), mix(vec3(1.25), vec3(0.7), albedo));
    vec3 lit = albedo * (diffuse / kPi + ambient * ambient_occlusion);

    lit += key * highlight(n, v, frame.key_direction.xyz);
    lit += rim * highlight(n, v, frame.rim_direction.xyz);
    float graze = pow(1.0 - nv, 4.0);
    lit += ambient * occlusion * (kReflectance + 0.22 * graze) * 0.6;
    colour = vec4(lit, 1);
}
