#include "collide/shapes/sphere.h"

#include "collide/collider.h"
#include "collide/shapes/capsule_triangles.h"

namespace ringlet {

void ShapeSphere::place(const Collider&, const Rigidf&, PlacedCollider& placed) {
    placed.b = placed.a;
}

void ShapeSphere::draw(const PlacedCollider&, const Rigidf&, DrawnShape& drawn) {
    drawn.b = drawn.a;
    drawn.add_triangles = add_capsule_triangles;
}

}  // namespace ringlet
