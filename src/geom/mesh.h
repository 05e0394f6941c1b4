// A triangle mesh for drawing, growing hair and collisions.
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
    Vec3f colour{0.8f, 0.8f, 0.8f};  // linear, diffuse; multiplies the texture
    float opacity = 1;               // not drawn below 0.5
    // Repeats; its lower left pixel is at UV (0, 0). Not drawn where its alpha is below 0.5. May be
    // null.
    std::shared_ptr<const Image> texture{};
    // The texture is sampled at uv * scale + offset.
    Vec2f texture_scale{1, 1}, texture_offset{0, 0};
    // The vertex colour times this is added to the colour.
    float vertex_colours = 0;
};

// An animation of the file, which mesh readers can turn into shapes (io/mesh_format.h).
struct MeshAnimation {
    std::string name;
    float seconds = 0;
};

// Vertices are split where normals or UVs differ: positions, normals and uvs have the same length
// and share indices. Triangles are counter-clockwise seen from outside.
struct Mesh {
    std::vector<Vec3f> positions;
    std::vector<Vec3f> normals;                   // unit
    std::vector<Vec2f> uvs;                       // (0, 0) if the file has none
    std::vector<Vec3f> colours;                   // linear RGB per vertex; empty if there are none
    std::vector<std::uint32_t> indices;           // three per triangle
    std::vector<std::int32_t> triangle_material;  // index into materials, -1 for none
    std::vector<std::int32_t> triangle_group;     // index into groups, -1 for none
    std::vector<Material> materials;
    std::vector<std::string> groups;
    // The separate objects of the file (head, eyes, body), by triangle; both empty if it is one.
    std::vector<std::int32_t> triangle_part;  // index into parts
    std::vector<std::string> parts;
    std::vector<bool> grows_hair;  // by part: hair grows on these only; empty: on all
    std::vector<MeshAnimation> animations;
    // The unit and axes that the file states; zeros if it states none. Readers do not apply them:
    // positions are those of the file.
    float file_unit_metres = 0;                   // metres per unit
    Vec3f file_up{0, 0, 0}, file_front{0, 0, 0};  // the axis that points up, and to the viewer
    std::vector<std::string> warnings;  // one line per texture or library that could not be read

    // False for the triangles of parts on which no hair grows.
    bool may_grow_hair(int triangle) const {
        if (grows_hair.empty() || triangle_part.empty()) return true;
        const std::int32_t part = triangle_part[static_cast<std::size_t>(triangle)];
        return part >= 0 && grows_hair[static_cast<std::size_t>(part)];
    }
    int triangle_count() const { return static_cast<int>(indices.size() / 3); }
    Vec3f corner(int triangle, int k) const {
        return positions[indices[static_cast<std::size_t>(triangle) * 3 +
                                 static_cast<std::size_t>(k)]];
    }
};

struct Bounds {
    Vec3f low, high;
};

// Both corners are the origin for an empty mesh.
Bounds bounds_of(const Mesh& mesh);

// The unit normal of a triangle times twice its area; zero for a degenerate triangle.
Vec3f area_normal(const Mesh& mesh, int triangle);

// Sets each normal to the area-weighted mean of the triangles that share the vertex's position, so
// UV seams stay smooth.
void compute_smooth_normals(Mesh& mesh);

// Whether a mesh of at least 500 triangles has the normals of its triangles, as exports without
// smooth shading have. They are good for drawing only: hair, distances and their signs need normals
// that do not jump at edges.
bool is_flat_shaded(const Mesh& mesh);
Mesh with_smooth_normals(Mesh mesh);

// Sets the normals of a file, one per vertex and of any length. Where one is zero or not finite,
// the vertex gets a smooth normal.
void set_normals(Mesh& mesh, std::vector<Vec3f> given);

}  // namespace ringlet
