#include "collide/shapes/plane.h"

#include "collide/collider.h"
#include "geom/drawn_shape.h"

namespace ringlet {

namespace {

// A square about shape.a with the side 2 * shape.radius.
void add_square(const DrawnShape& shape, Mesh& mesh) {
    const Framef frame = frame_along(unit_or(shape.axis, {0, 1, 0}));
    const auto corner = [&](float u, float v) {
        return add_vertex(mesh, shape.a + to_world(frame, {u * shape.radius, v * shape.radius, 0}),
                          frame.tangent);
    };
    const std::uint32_t a = corner(-1, -1), b = corner(1, -1), c = corner(1, 1), d = corner(-1, 1);
    add_triangle(mesh, a, b, c);
    add_triangle(mesh, a, c, d);
}

}  // namespace

void ShapePlane::place(const Collider& collider, const Rigidf& pose, PlacedCollider& placed) {
    placed.b = rotate(pose.rotation, unit_or(collider.normal, Vec3f{0, 1, 0}));
}

void ShapePlane::draw(const PlacedCollider& body, const Rigidf& to_world, DrawnShape& drawn) {
    drawn.axis = rotate(to_world.rotation, body.b);
    drawn.radius = 0.5f;
    drawn.is_ground = true;
    drawn.add_triangles = add_square;
}

}  // namespace ringlet
