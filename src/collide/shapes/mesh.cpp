#include "collide/shapes/mesh.h"

#include "collide/collider.h"
#include "collide/mesh_body.h"

namespace ringlet {

void ShapeMesh::place(const Collider& collider, const Rigidf& pose, PlacedCollider& placed) {
    placed.pose = pose * own_pose(collider);
    if (collider.body) placed.grid = collider.body->grid();
}

void ShapeMesh::draw(const PlacedCollider&, const Rigidf&, DrawnShape&) {}

}  // namespace ringlet
