// How near a surface is to the ground below it. Needs frame.glsl before it.
layout(location = 0) in float height;
layout(location = 0) out float nearness;

float ground_nearness() { return exp(-max(height, 0.0) / (0.12 * frame.sizes.x)); }
