// The colour of a mesh at a point: material, vertex colours and texture.
#pragma once

#include "picture/mesh_parts.h"

namespace ringlet {

// A texel, linear RGB.
struct Texel {
    Vec3f colour;
    float alpha;
};

// Samples the part's texture bilinearly at the UV coordinates of the mesh. Precondition: the part
// has a texture.
Texel sample_texture(const MeshPart& part, Vec2f uv);

// The colour of a triangle at barycentric coordinates (u, v) of its second and third corner.
Vec3f mesh_colour(const Mesh& mesh, const MeshPart& part, std::uint32_t triangle, float u, float v);

// The UV coordinates there.
Vec2f mesh_uv(const Mesh& mesh, std::uint32_t triangle, float u, float v);

}  // namespace ringlet
