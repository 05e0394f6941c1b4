#include "collide/shapes/ellipsoid.h"

#include "collide/collider.h"
#include "collide/shapes/capsule_triangles.h"

namespace ringlet {

namespace {

// m; the nearest point of a flatter ellipsoid is beyond float precision.
constexpr float kMinRadius = 1e-4f;

// The unit sphere, scaled by the radii and rotated.
void add_ellipsoid_triangles(const DrawnShape& shape, Mesh& mesh) {
    const std::size_t first = mesh.positions.size();
    DrawnShape unit;
    unit.radius = 1;
    add_capsule_triangles(unit, mesh);
    const Vec3f r = shape.axis;
    for (std::size_t k = first; k < mesh.positions.size(); ++k) {
        const Vec3f n = mesh.normals[k];
        mesh.positions[k] =
            shape.a + rotate(shape.rotation, Vec3f{n.x * r.x, n.y * r.y, n.z * r.z});
        mesh.normals[k] =
            rotate(shape.rotation, unit_or(Vec3f{n.x / r.x, n.y / r.y, n.z / r.z}, n));
    }
}

}  // namespace

void ShapeEllipsoid::place(const Collider& collider, const Rigidf& pose, PlacedCollider& placed) {
    placed.b = {max(collider.radii.x, kMinRadius), max(collider.radii.y, kMinRadius),
                max(collider.radii.z, kMinRadius)};
    placed.pose = pose * own_pose(collider);
}

void ShapeEllipsoid::draw(const PlacedCollider& body, const Rigidf& to_world, DrawnShape& drawn) {
    drawn.b = drawn.a;
    drawn.axis = body.b;
    drawn.rotation = (to_world * body.pose).rotation;
    drawn.add_triangles = add_ellipsoid_triangles;
}

}  // namespace ringlet
