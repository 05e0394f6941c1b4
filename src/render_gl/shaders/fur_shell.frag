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

const float kSphere = 4.19;  // volume of a sphere of radius 1

// The optical depth between this shell and the next of strands that are finer than pixels. Each cell
// of space holds a sphere, whose radius r shrinks with height. At this height a strand is a disc, the
// section of the skin through its sphere. Per area of skin the discs have widths of pi r^2 in sum, and
// the area of all discs, 4/3 pi r^3, grows towards the skin. The lengths of the strands are uniform
// within `spread` of `tall`; Gauss-Legendre quadrature with three nodes.
float mean_depth(float height, float tall, float spread) {
    float base = coat.shape.w, sum = 0.0;
    for (int k = -1; k <= 1; ++k) {
        float top = max(tall + 0.7746 * float(k) * spread, 0.05);
        float left = max(1.0 - height / top, 0.0);
        float depth = kPi * base * base *
                      (left * way.x + 2.0 * base * sqrt(left) / top * way.y);
        sum += depth * (k == 0 ? 8.0 : 5.0) / 18.0;
    }
    return sum;
}

// The opacity of a shell whose mean is `blocked`, where strands are about as large as a pixel and
// `cover` is their cross-sections. As much of it as possible is in the cross-sections. The rest is
// outside: rays at a slant meet strands between two shells. The smoothstep from -blur to blur
// spreads the radius of cross-sections by the variance blur^2 / 5, so their mean area is
// 4/3 pi (r^3 + 3 r blur^2 / 5).
float with_mean(float blocked, float cover, float radius, float blur) {
    float area = kSphere * radius * (radius * radius + 0.6 * blur * blur);
    float inside = min(blocked / max(area, 0.01), 1.0);
    float outside = max(blocked - area, 0.0) / max(1.0 - area, 0.01);
    return mix(outside, inside, cover);
}

void main() {
    float height = coat_uv_height.z;
    // Tufts lean in different directions and differ in length.
    vec4 tuft = texture(strand_field, skin_point.xyz / (kFieldCells * 6.5));
    vec3 at = skin_point.xyz + (tuft.gba - 0.5) * (height * height * 2.2);
    vec3 dx = dFdx(skin_point.xyz), dy = dFdy(skin_point.xyz);
    float wide = max(max(length(dx), length(dy)), 1e-6);
    // A fin stands on a line of the skin, so a pixel extends in one direction only.
    float narrow = mix(length(cross(dx, dy)) / wide, wide, is_fin > 0.5 ? 1.0 : 0.1);
    // Where single strands show, texels are half as large as pixels: the mean over a larger one would
    // hide thin tips.
    float texel = max(mix(0.5, 1.0, smoothstep(0.5, 1.0, narrow)) * narrow,
                      1.0 / kFieldTexelsPerCell);
    vec4 strand = textureLod(strand_field, at / kFieldCells, log2(texel * kFieldTexelsPerCell));
    float tall = 1.0 - 2.0 * coat.tip_colour.w * mix(strand.g, tuft.a, 0.4);
    // The share of spheres in space falls as strands diverge.
    float slim = pow(growth, -1.0 / 3.0);
    float radius = coat.shape.w * slim * sqrt(max(1.0 - height / max(tall, 0.05), 0.0));
    // A pixel that covers many strands shows their mean. Near the silhouette it covers many in one
    // direction only, which the overlapping shells average.
    float blur = clamp(0.5 * narrow, 0.05, 0.6);
    // The mean distance over a texel is not zero at the strand itself: more than half of the texel's
    // side. Without the correction, thin tips would vanish.
    float least = (0.57 - 0.57 * is_fin) * texel;
    float mean = (1.0 - strand.r) * coat.style.w;
    float beyond = sqrt(max(mean * mean - least * least, 0.0));
    float cover = smoothstep(-blur, blur, radius - beyond);
    cover *= step(height, tall);
    // A ray that passes shells at a slant misses strands between them.
    float filled = kSphere * radius * radius * radius, reached = 0.75 * way.x / max(radius, 1e-4);
    float missed = filled * (reached - 1.0 + exp(-reached));
    float blurred = smoothstep(0.1, 0.7, narrow);
    float spread = sqrt(0.36 * blurred + 0.16 * smoothstep(0.65, 4.5, narrow));
    float blocked = 1.0 - exp(-mean_depth(height, tall, coat.tip_colour.w * spread));
    float shared_out = mix(with_mean(blocked, cover, radius, blur), blocked, blurred);
    float far = is_fin > 0.5 ? 0.0 : smoothstep(0.12, 0.22, narrow);
    cover = mix(1.0 - (1.0 - cover) * exp(-missed), shared_out, far);
    cover = max(cover, hides_skin);
    // Seen edge-on, the strands on a shell are rows of dots, which fins replace. Where they are finer
    // than pixels, shells cover as much as the strands do at any angle.
    float shown = clamp(seen, 0.0, 1.0);
    shown = is_fin > 0.5 ? shown : mix(shown, 1.0, blurred);
    float alpha = cover * shown * clamp(coat_uv_height.w, 0.0, 1.0);
    if (alpha < 0.004) discard;
    float vary = 1.0 + coat.root_colour.w * (2.0 * strand.b - 1.0);
    vec3 tint = texture(coat_image, vec2(coat_uv_height.x, 1.0 - coat_uv_height.y)).rgb;
    vec3 own = mix(coat.root_colour.rgb, coat.tip_colour.rgb, skin_point.w) * tint * vary;
    vec3 lit = lit_fur(own, FurLight(diffuse, sheen, glow), strand.a);
    lit = frame.ground.w > 0.5 ? own : lit;
    colour = vec4(max(lit, 0.0) * alpha, alpha);
}
