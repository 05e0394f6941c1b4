#version 450 core
// A strand's opacity in a pixel is exactly the area of their overlap, however thin the strand is.
#include "coverage.glsl"
layout(binding = kEdgeUnit) uniform sampler2D edge_map;  // written by resolve.comp
layout(location = 0) in vec4 strand_colour;
layout(location = 1) noperspective in vec4 strand_ribbon;
layout(location = 0) out vec4 colour;

void main() {
    float d = strand_ribbon.x, r = strand_ribbon.y;
    float cover = strand_cover(d, r, profile_of(strand_ribbon.zw));
    vec2 edge = texelFetch(edge_map, ivec2(gl_FragCoord.xy), 0).xy;
    float visible = gl_FragCoord.z > edge.x ? 1.0 - edge.y : 1.0;
    float alpha = cover * strand_colour.a * visible;
    colour = vec4(strand_colour.rgb * alpha, alpha);
}
