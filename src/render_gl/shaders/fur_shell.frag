#version 450 core
// A cross-section of the strand field (fur/strand_field.h) at one height above the skin.
#include "frame.glsl"
#include "fur_coat.glsl"
#define VARYING in
#include "fur_shell.glsl"
layout(binding = kStrandFieldUnit) uniform sampler3D strand_field;
layout(binding = kCoatImageUnit) uniform sampler2D coat_image;
layout(location = kIsFinUniform) uniform float is_fin;  // 0 or 1
layout(location = 0) out vec4 colour;

void main() {
    float height = coat_uv_height.z;
    // Tufts lean in different directions and differ in length.
    vec4 tuft = texture(strand_field, skin_point.xyz / (kFieldCells * 6.5));
    vec3 at = skin_point.xyz + (tuft.gba - 0.5) * (height * height * 2.2);
    vec3 dx = dFdx(skin_point.xyz), dy = dFdy(skin_point.xyz);
    float wide = max(max(length(dx), length(dy)), 1e-6);
    // A fin stands on a line of the skin, so a pixel extends in one direction only.
    float narrow = mix(length(cross(dx, dy)) / wide, wide, is_fin > 0.5 ? 1.0 : 0.1);
    vec4 strand = textureLod(strand_field, at / kFieldCells, log2(narrow * kFieldTexelsPerCell));
    float tall = 1.0 - 2.0 * coat.tip_colour.w * mix(strand.g, tuft.a, 0.4);
    float radius = coat.shape.w * sqrt(max(1.0 - height / max(tall, 0.05), 0.0));
    // A pixel that covers many strands shows their mean. Near the silhouette it covers many in one
    // direction only, which the overlapping shells average.
    float blur = clamp(0.5 * narrow, 0.05, 0.6);
    float beyond = (1.0 - strand.r) * coat.style.w;
    float cover = smoothstep(-blur, blur, radius - beyond) * step(height, tall);
    float alpha = cover * clamp(coat_uv_height.w, 0.0, 1.0);
    if (alpha < 0.04) discard;
    float vary = 1.0 + coat.root_colour.w * (2.0 * strand.b - 1.0);
    vec3 tint = texture(coat_image, vec2(coat_uv_height.x, 1.0 - coat_uv_height.y)).rgb;
    vec3 own = mix(coat.root_colour.rgb, coat.tip_colour.rgb, skin_point.w) * tint * vary;
    // Light that has passed through other strands is more saturated.
    vec3 deep = own * pow(own / max(max(own.r, own.g), max(own.b, 1e-3)), vec3(0.03));
    vec3 lit = deep * diffuse + sheen * (0.3 + 1.4 * strand.a) + own * glow * (0.3 + 1.4 * strand.a);
    lit = frame.ground.w > 0.5 ? own : lit;
    colour = vec4(max(lit, 0.0) * alpha, alpha);
}
