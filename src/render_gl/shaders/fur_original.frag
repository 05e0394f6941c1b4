#version 450 core
// The style `original`: u = 1 - (N.L)^2, v = (1 - (N.V)^2)^16 with N along the fur, opacity
// texture^(2 + 5 (i + 1)/m).
#include "frame.glsl"
#include "fur_coat.glsl"
layout(binding = kCoatImageUnit) uniform sampler2D coat_image;
layout(binding = kShellTileUnit) uniform sampler2D shell_texture;
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 along;
layout(location = 2) in vec4 uv_both;
layout(location = 3) in float shell_share;
layout(location = 0) out vec4 colour;

void main() {
    float alpha = pow(texture(shell_texture, uv_both.xy).r, 2.0 + 5.0 * shell_share);
    if (alpha < 0.04) discard;
    vec3 n = normalize(along);
    float nl = dot(n, frame.lamp_direction[kKeyLamp].xyz), nv = dot(n, normalize(frame.eye.xyz - world));
    float u = 1.0 - nl * nl, v = pow(1.0 - nv * nv, 16.0);
    vec3 tint = texture(coat_image, vec2(uv_both.z, 1.0 - uv_both.w)).rgb;
    vec3 own = mix(coat.root_colour.rgb, coat.tip_colour.rgb, shell_share) * tint;
    vec3 lit = own * (frame.sky_colour.rgb + frame.lamp_colour[kKeyLamp].rgb * (0.3 * u)) +
               frame.lamp_colour[kKeyLamp].rgb * (0.03 * v);
    lit = frame.ground.w > 0.5 ? own : lit;
    colour = vec4(lit * alpha, alpha);
}
