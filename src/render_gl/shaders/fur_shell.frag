#version 450 core
// A cross-section of the strand field (fur/strand_field.h) at one height above the skin.
#include "frame.glsl"
#include "fur_coat.glsl"
#include "fur_colour.glsl"
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
    // The mean distance over a texel is not zero at the strand itself: more than half of the texel's
    // side. Without the correction, thin tips would vanish.
    float texel = (0.57 - 0.57 * is_fin) * max(narrow, 1.0 / kFieldTexelsPerCell);
    float mean = (1.0 - strand.r) * coat.style.w;
    float beyond = sqrt(max(mean * mean - texel * texel, 0.0));
    float cover = smoothstep(-blur, blur, radius - beyond);
    // Strands that are finer than pixels: the share of the light that they block between this shell
    // and the next one. A shell cuts spheres, which fill a share of space (4 pi / 3 = 4.19). Along
    // the strands, cross-sections lie behind each other, and only the growth of that share counts;
    // across them a ray meets further strands.
    float base = coat.shape.w, filled = min(4.19 * radius * radius * radius, 0.8);
    float grown = 1.5 * 4.19 * base * base * radius / max(tall, 0.05) / (1.0 - filled);
    float share = 1.0 - exp(-(grown * way.y + 4.19 * radius * radius * way.x));
    cover = mix(cover, share, is_fin > 0.5 ? 0.0 : smoothstep(0.1, 0.7, narrow));
    cover = max(cover * step(height, tall), hides_skin);
    float alpha = cover * clamp(coat_uv_height.w, 0.0, 1.0);
    if (alpha < 0.004) discard;
    float vary = 1.0 + coat.root_colour.w * (2.0 * strand.b - 1.0);
    vec3 tint = texture(coat_image, vec2(coat_uv_height.x, 1.0 - coat_uv_height.y)).rgb;
    vec3 own = mix(coat.root_colour.rgb, coat.tip_colour.rgb, skin_point.w) * tint * vary;
    vec3 lit = lit_fur(own, FurLight(diffuse, sheen, glow), strand.a);
    lit = frame.ground.w > 0.5 ? own : lit;
    colour = vec4(max(lit, 0.0) * alpha, alpha);
}
