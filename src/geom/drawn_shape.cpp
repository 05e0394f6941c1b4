#include "geom/drawn_shape.h"

namespace ringlet {

bool DrawnShape::operator==(const DrawnShape& o) const {
    const auto same = [](Vec3f u, Vec3f v) { return u.x == v.x && u.y == v.y && u.z == v.z; };
    const Quatf q = rotation, r = o.rotation;
    return same(a, o.a) && same(b, o.b) && radius == o.radius && same(axis, o.axis) && q.x == r.x &&
           q.y == r.y && q.z == r.z && q.w == r.w && same(colour, o.colour) &&
           is_ground == o.is_ground && add_triangles == o.add_triangles;
}

std::uint32_t add_vertex(Mesh& mesh, Vec3f position, Vec3f normal) {
    mesh.positions.push_back(position);
    mesh.normals.push_back(normal);
    mesh.uvs.push_back({0, 0});
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
}

void add_triangle(Mesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (const std::uint32_t index : {a, b, c}) mesh.indices.push_back(index);
    mesh.triangle_material.push_back(static_cast<std::int32_t>(mesh.materials.size()) - 1);
    mesh.triangle_group.push_back(-1);
}

}  // namespace ringlet
