#version 450 core
// Covers a random share of the texels, different in each layer. Lookups in these maps average over
// many texels.
#include "frame.glsl"
#include "contact.glsl"
layout(location = 1) in float cover;
layout(location = 2) flat in float layer_offset;
layout(location = kLampUniform) uniform int lamp;

void main() {
    float grain = fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)));
    if (fract(52.9829189 * grain + layer_offset) >= cover) discard;
    nearness = lamp == kNoLamp ? ground_nearness() : 1.0;
}
