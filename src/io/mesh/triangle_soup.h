// Turns the triangles of a file into a Mesh: for formats that store no materials.
#pragma once

#include <filesystem>

#include "geom/mesh.h"
#include "ringlet/result.h"

namespace ringlet {

// As read. Every index is valid; uvs, colours and normals are empty or have one entry per position.
struct TriangleSoup {
    std::vector<Vec3f> positions, normals, colours;
    std::vector<Vec2f> uvs;
    std::vector<std::uint32_t> indices;  // three per triangle
    std::vector<std::int32_t> triangle_part;
    std::vector<std::string> parts;  // used if there are several
    bool merges_positions = false;   // merge vertices at the same position
};

// Drops triangles without area and vertices without a triangle. Fails if a coordinate is not finite
// or no triangle is left. If `kept` is not null, it receives for each vertex of the mesh its index
// in soup.positions.
Result<Mesh> mesh_of(TriangleSoup soup, const std::filesystem::path& path,
                     std::vector<std::uint32_t>* kept = nullptr);

}  // namespace ringlet
