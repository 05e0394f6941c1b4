// A solid given by a few numbers, drawn as triangles: how colliders reach a renderer. Each kind of
// solid brings its own function that builds the triangles, so a renderer knows no kinds.
#pragma once

#include "geom/mesh.h"
#include "math/quat.h"

namespace ringlet {

struct DrawnShape {
    // In world space, in metres. The kind defines their meaning; a sphere sets both points to its
    // centre. The box around the two points, grown by the radius, is what camera and light fit.
    Vec3f a{0, 0, 0}, b{0, 0, 0};
    float radius = 0.1f;
    Vec3f axis{0, 1, 0};  // normal of a plane, radii of an ellipsoid
    Quatf rotation{0, 0, 0, 1};
    Vec3f colour{0.55f, 0.53f, 0.5f};  // linear RGB
    bool is_ground = false;            // camera and light ignore its size
    // Appends the triangles in world space; null: draws nothing.
    void (*add_triangles)(const DrawnShape& shape, Mesh& mesh) = nullptr;

    bool operator==(const DrawnShape& other) const;
};

// Appends a vertex and returns its index.
std::uint32_t add_vertex(Mesh& mesh, Vec3f position, Vec3f normal);
// Appends a triangle of the last material.
void add_triangle(Mesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c);

}  // namespace ringlet
