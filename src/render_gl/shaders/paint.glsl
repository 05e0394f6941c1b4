// Colour and texture of the part of a body that is drawn; BodyBuffers fills it in.
layout(std430, binding = 0) readonly buffer Part {
    vec4 paint_map;  // uv * xy + zw is where the texture is looked up
    uvec4 painted;   // x: 1 where there is a texture
    uvec2 triangle_colour[];
};
layout(binding = 6) uniform sampler2D paint_texture;  // first row at the top
// Centroid, or samples beside an edge would see what is painted beyond it.
layout(location = 2) centroid in vec2 uv;

bool part_is_painted() { return painted.x != 0u; }

vec4 paint() {
    vec2 at = uv * paint_map.xy + paint_map.zw;
    return texture(paint_texture, vec2(at.x, 1.0 - at.y));
}

vec3 triangle_albedo() {
    uvec2 packed_colour = triangle_colour[gl_PrimitiveID];
    return vec3(unpackHalf2x16(packed_colour.x), unpackHalf2x16(packed_colour.y).x);
}
