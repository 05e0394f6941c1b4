#include "collide/shapes/sphere.h"

#include "collide/collider.h"

namespace ringlet {

void ShapeSphere::place(const Collider&, const Rigidf&, PlacedCollider& placed) {
    placed.shape = ColliderShape::capsule;
    placed.b = placed.a;
}

}  // namespace ringlet
