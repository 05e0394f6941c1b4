// Colour and texture of the part of a body that is drawn; BodyBuffers fills it in.
// The map is uniform and not in the buffer: pixels beside a triangle, by which the level of the
// texture is chosen, may not read buffers.
layout(std140, binding = 1) uniform Paint {
    vec4 paint_map;  // uv * xy + zw is where the texture is looked up
    uvec4 painted;   // x: 1 where there is a texture
};
layout(std430, binding = 0) readonly buffer Colours { uvec2 triangle_colour[]; };
layout(binding = 6) uniform sampler2D paint_texture;  // first row at the top
layout(location = 2) in vec2 uv;

bool part_is_painted() { return painted.x != 0u; }

vec4 paint() {
    vec2 at = uv * paint_map.xy + paint_map.zw;
    return texture(paint_texture, vec2(at.x, 1.0 - at.y));
}

vec3 triangle_albedo() {
    uvec2 packed_colour = triangle_colour[gl_PrimitiveID];
    return vec3(unpackHalf2x16(packed_colour.x), unpackHalf2x16(packed_colour.y).x);
}
