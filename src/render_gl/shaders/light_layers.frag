#version 450 core
// What light_layers.comp counted, up to the end of each layer.
#include "opacity.glsl"
layout(std430, binding = 2) readonly buffer Layers { uvec4 layers[]; };
layout(location = 0) uniform int map_size;
layout(location = 0) out vec4 cover;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 own = vec4(layers[at.y * map_size + at.x]) / kCoverUnit;
    cover = vec4(own.x, own.x + own.y, own.x + own.y + own.z, own.x + own.y + own.z + own.w);
}
