// A box and a sheet of triangles for tests.
#pragma once

#include "geom/mesh.h"

namespace ringlet {

namespace mesh_parts {

inline void add_triangle(Mesh& mesh, Vec3f a, Vec3f b, Vec3f c) {
    for (const Vec3f& p : {a, b, c}) {
        mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
        mesh.positions.push_back(p);
        mesh.uvs.push_back({0, 0});
    }
    mesh.triangle_material.push_back(-1);
    mesh.triangle_group.push_back(-1);
}

inline void add_quad(Mesh& mesh, Vec3f a, Vec3f b, Vec3f c, Vec3f d) {
    add_triangle(mesh, a, b, c);
    add_triangle(mesh, a, c, d);
}

}  // namespace mesh_parts

// Between -half and +half, wound outwards.
inline Mesh box_mesh(Vec3f half) {
    Mesh mesh;
    const auto corner = [&](int x, int y, int z) {
        return Vec3f{static_cast<float>(x) * half.x, static_cast<float>(y) * half.y,
                     static_cast<float>(z) * half.z};
    };
    for (const int s : {-1, 1}) {
        mesh_parts::add_quad(mesh, corner(s, -s, -1), corner(s, s, -1), corner(s, s, 1),
                             corner(s, -s, 1));
        mesh_parts::add_quad(mesh, corner(-1, s, -s), corner(-1, s, s), corner(1, s, s),
                             corner(1, s, -s));
        mesh_parts::add_quad(mesh, corner(-s, -1, s), corner(s, -1, s), corner(s, 1, s),
                             corner(-s, 1, s));
    }
    compute_smooth_normals(mesh);
    return mesh;
}

// A square in the plane y = 0, facing up.
inline Mesh sheet_mesh(float half) {
    Mesh mesh;
    mesh_parts::add_quad(mesh, {-half, 0, -half}, {-half, 0, half}, {half, 0, half},
                         {half, 0, -half});
    compute_smooth_normals(mesh);
    return mesh;
}

}  // namespace ringlet
