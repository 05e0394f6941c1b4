// The colours and the texture of a part of a mesh, bound by MeshBuffers. The texture's transform is
// in a uniform block rather than a storage buffer, because helper invocations, whose derivatives
// select the mip level, may not read storage buffers.
layout(std140, binding = kPaintBinding) uniform Paint {
    vec4 paint_map;     // texture coordinates: uv * xy + zw
    uvec4 has_texture;  // x: 1 or 0
};
layout(std430, binding = kTriangleColourBinding) readonly buffer Colours {
    uvec2 triangle_colour[];
};
layout(binding = kPaintUnit) uniform sampler2D paint_texture;  // first row at the top
layout(location = 2) in vec2 uv;

bool part_has_texture() { return has_texture.x != 0u; }

vec4 paint() {
    vec2 at = uv * paint_map.xy + paint_map.zw;
    return texture(paint_texture, vec2(at.x, 1.0 - at.y));
}

// The colour of the material, plus a share of the vertex colour.
vec3 triangle_albedo(vec3 vertex_colour) {
    uvec2 packed_colour = triangle_colour[gl_PrimitiveID];
    vec2 rest = unpackHalf2x16(packed_colour.y);
    return vec3(unpackHalf2x16(packed_colour.x), rest.x) + rest.y * vertex_colour;
}
