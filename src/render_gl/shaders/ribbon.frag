#version 450 core
// A strand's opacity in a pixel is exactly the area of their overlap, however thin the strand is.
#include "coverage.glsl"
layout(binding = kEdgeUnit) uniform sampler2D edge_map;  // written by resolve.comp
layout(location = 0) in vec4 strand_colour;
layout(location = 1) noperspective in vec4 strand_ribbon;
layout(location = 0, index = 0) out vec4 colour;  // alpha: hides the samples in front of the pixel
layout(location = 0, index = 1) out vec4 hiding;  // alpha: hides the samples behind

void main() {
    float d = strand_ribbon.x, r = strand_ribbon.y;
    float cover = strand_cover(d, r, profile_of(strand_ribbon.zw));
    vec2 edge = texelFetch(edge_map, ivec2(gl_FragCoord.xy), 0).xy;
    bool is_before = gl_FragCoord.z <= edge.x;
    float alpha = cover * strand_colour.a;
    colour = vec4(strand_colour.rgb * (is_before ? alpha : alpha * (1.0 - edge.y)),
                  is_before ? alpha : 0.0);
    hiding = vec4(alpha);
}
