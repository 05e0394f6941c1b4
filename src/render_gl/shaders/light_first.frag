#version 450 core
// What light_first.comp found, as a depth map.
layout(std430, binding = 2) readonly buffer First { uint first_depths[]; };
layout(location = 0) uniform int map_size;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    gl_FragDepth = uintBitsToFloat(first_depths[at.y * map_size + at.x]);
}
