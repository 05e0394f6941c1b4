#version 450 core
// Copies the result of light_layers.comp into the opacity map, summed up to the end of each layer.
#include "opacity.glsl"
layout(std430, binding = kLightSumBinding) readonly buffer Layers { uvec4 layers[]; };
layout(location = kMapSizeUniform) uniform int map_size;
layout(location = 0) out vec4 cover;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 own = vec4(layers[at.y * map_size + at.x]) / kCoverScale;
    cover = vec4(own.x, own.x + own.y, own.x + own.y + own.z, own.x + own.y + own.z + own.w);
}
