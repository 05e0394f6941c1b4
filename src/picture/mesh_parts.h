// Splits a mesh by its textures, so that each part can be drawn with one draw call.
#pragma once

#include <cstdint>
#include <vector>

#include "geom/mesh.h"

namespace ringlet {

struct MeshPart {
    const Image* texture = nullptr;  // Not owned. Null: no texture.
    Vec2f scale{1, 1}, offset{0, 0};
    std::vector<std::uint32_t> triangles;  // in the mesh's order
};

// Returns every triangle that can be drawn in exactly one part. The part without a texture comes
// first and may be empty.
std::vector<MeshPart> split_by_texture(const Mesh& mesh);

// The material of a triangle, or null if it has none.
const Material* material_of(const Mesh& mesh, std::size_t triangle);

// Whether a material of the mesh uses the colours of its vertices, of which there is one for each.
bool draws_vertex_colours(const Mesh& mesh);

// Whether an image has pixels with less than half opacity.
bool has_holes(const Image& image);

}  // namespace ringlet
