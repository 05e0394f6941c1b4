// A triangle mesh ready to draw, to grow hair on and to collide with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "math/vec2.h"
#include "math/vec3.h"

namespace ringlet {

struct Material {
    std::string name;
    Vec3f colour{0.8f, 0.8f, 0.8f};  // linear, diffuse
};

// Vertices are split where normals or UVs differ, so one index serves positions, normals and uvs,
// which are always of the same length. Triangles are counter-clockwise seen from outside.
struct Mesh {
    std::vector<Vec3f> positions;
    std::vector<Vec3f> normals;                   // unit
    std::vector<Vec2f> uvs;                       // (0, 0) where the file has none
    std::vector<std::uint32_t> indices;           // three per triangle
    std::vector<std::int32_t> triangle_material;  // index into materials, -1 for none
    std::vector<std::int32_t> triangle_group;     // index into groups, -1 for none
    std::vector<Material> materials;
    std::vector<std::string> groups;

    int triangle_count() const { return static_cast<int>(indices.size() / 3); }
    Vec3f corner(int triangle, int k) const {
        return positions[indices[static_cast<std::size_t>(triangle) * 3 +
                                 static_cast<std::size_t>(k)]];
    }
};

struct Bounds {
    Vec3f low, high;
};

// An empty mesh has the bounds of the origin.
Bounds bounds_of(const Mesh& mesh);

// Twice the area times the unit normal of a triangle; zero where it is degenerate.
Vec3f area_normal(const Mesh& mesh, int triangle);

// Normals as the area-weighted mean over the triangles that meet in a position (not in an index:
// a UV seam does not show), for files that come without.
void compute_smooth_normals(Mesh& mesh);

}  // namespace ringlet
