// How a mesh is divided by its textures before it goes to the GPU.
#pragma once

#include <cstdint>
#include <vector>

#include "geom/mesh.h"

namespace ringlet {

struct BodyPart {
    const Image* texture = nullptr;  // null: plain
    Vec2f scale{1, 1}, offset{0, 0};
    std::vector<std::uint32_t> triangles;  // in the mesh's order
};

// Every triangle that can be drawn, in one part each; the plain part comes first and may be empty.
std::vector<BodyPart> parts_of(const Mesh& mesh);

// The material of a triangle; null where it has none.
const Material* material_of(const Mesh& mesh, std::size_t triangle);

// Whether a picture has pixels of less than half opacity.
bool has_holes(const Image& image);

}  // namespace ringlet
