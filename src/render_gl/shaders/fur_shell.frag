#version 450 core
// A cut through the strands of the field of fur/strand_field.h at one height.
#include "frame.glsl"
#include "fur_coat.glsl"
#define VARYING in
#include "fur_shell.glsl"
layout(binding = 11) uniform sampler3D strand_field;
layout(binding = 12) uniform sampler2D coat_image;
layout(location = 1) uniform float is_fin;  // 0 or 1
layout(location = 0) out vec4 colour;

// StrandField::kCells, kReach, kTexelsPerCell.
const float kCells = 18.0, kReach = 0.8, kTexels = 5.0;

void main() {
    float height = coat_uv_height.z;
    // Tufts lean this way and that, and differ in length.
    vec4 tuft = texture(strand_field, place.xyz / (kCells * 6.5));
    vec3 at = place.xyz + (tuft.gba - 0.5) * (height * height * 2.2);
    vec3 dx = dFdx(place.xyz), dy = dFdy(place.xyz);
    float wide = max(max(length(dx), length(dy)), 1e-6);
    // A fin stands on one line of the skin: along it is the only way a pixel has.
    float narrow = mix(length(cross(dx, dy)) / wide, wide, is_fin > 0.5 ? 1.0 : 0.1);
    vec4 strand = textureLod(strand_field, at / kCells, log2(narrow * kTexels));
    float tall = 1.0 - 2.0 * coat.tip_colour.w * mix(strand.g, tuft.a, 0.4);
    float radius = coat.shape.w * sqrt(max(1.0 - height / max(tall, 0.05), 0.0));
    // A pixel that covers many strands sees their mean. Seen edge on it covers many one way only;
    // the layers behind one another take care of that way.
    float blur = clamp(0.5 * narrow, 0.05, 0.6);
    float beyond = (1.0 - strand.r) * kReach;
    float cover = smoothstep(-blur, blur, radius - beyond) * step(height, tall);
    float alpha = cover * clamp(coat_uv_height.w, 0.0, 1.0);
    if (alpha < 0.04) discard;
    float vary = 1.0 + coat.root_colour.w * (2.0 * strand.b - 1.0);
    vec3 tint = texture(coat_image, vec2(coat_uv_height.x, 1.0 - coat_uv_height.y)).rgb;
    vec3 own = mix(coat.root_colour.rgb, coat.tip_colour.rgb, place.w) * tint * vary;
    // Light that has passed other strands comes out in a deeper colour.
    vec3 deep = own * pow(own / max(max(own.r, own.g), max(own.b, 1e-3)), vec3(0.03));
    vec3 lit = deep * diffuse + sheen * (0.3 + 1.4 * strand.a) + own * glow * (0.3 + 1.4 * strand.a);
    lit = frame.ground.w > 0.5 ? own : lit;
    colour = vec4(max(lit, 0.0) * alpha, alpha);
}
