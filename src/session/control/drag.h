// Moves heads and colliders by displacements in world space, as when dragged with the mouse.
#pragma once

#include "collide/collider.h"
#include "picture/camera.h"

namespace ringlet {

// The head offset after a displacement by `way` (m, world space). `to_world` is the actor's pose.
Rigidf moved_head(const Rigidf& offset, const Rigidf& to_world, Vec3f way);
// The head offset after a rotation about the pivot, by angles in radians about +y and about the
// camera's right.
Rigidf turned_head(const Rigidf& offset, const Rigidf& to_world, Vec3f pivot, const Camera& camera,
                   float about_y, float about_right);
// Moves a collider by `way` (m, world space). `head` is the head's pose in the actor's frame.
void move_collider(Collider& collider, const Rigidf& to_world, const Rigidf& head, Vec3f way);

}  // namespace ringlet
