#version 450 core
// As many texels as are covered on average, another few in each layer: who looks at these maps
// takes the mean of many.
#include "frame.glsl"
#include "contact.glsl"
layout(location = 1) in float cover;
layout(location = 2) flat in float turn;
layout(location = 1) uniform float from_below;

void main() {
    float grain = fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)));
    if (fract(52.9829189 * grain + turn) >= cover) discard;
    nearness = from_below > 0.5 ? ground_nearness() : 1.0;
}
