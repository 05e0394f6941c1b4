#version 450 core
// Copies the result of light_nearest.comp into a depth map.
layout(std430, binding = kLightSumBinding) readonly buffer Nearest { uint nearest_depths[]; };
layout(location = kMapSizeUniform) uniform int map_size;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    gl_FragDepth = uintBitsToFloat(nearest_depths[at.y * map_size + at.x]);
}
