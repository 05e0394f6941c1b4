// A triangle mesh ready to draw, to grow hair on and to collide with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "math/vec2.h"
#include "math/vec3.h"
#include "ringlet/image.h"

namespace ringlet {

struct Material {
    std::string name;
    Vec3f colour{0.8f, 0.8f, 0.8f};  // linear, diffuse; multiplies the texture where there is one
    float opacity = 1;               // below one half nothing is drawn
    // Its lower left pixel is at the UV (0, 0), it repeats, and is cut out where its alpha is below
    // one half. May be null. The picture may not change once a mesh holds it.
    std::shared_ptr<const Image> texture{};
    // It is looked up at uv * scale + offset.
    Vec2f texture_scale{1, 1}, texture_offset{0, 0};
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
    std::vector<std::string> warnings;  // what the file names and could not be had, a line each

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
