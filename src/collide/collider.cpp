#include "collide/collider.h"

namespace ringlet {

PlacedCollider place(const Collider& collider, const Rigidf& from, const Rigidf& to) {
    const Rigidf still;
    const Rigidf pose = collider.attached ? to : still;
    PlacedCollider out{.shape = collider.shape,
                       .a = apply(pose, collider.centre),
                       .b = {0, 0, 0},
                       .radius = collider.radius,
                       .friction = collider.friction,
                       .static_friction = max(collider.static_friction, collider.friction),
                       .restitution = collider.restitution,
                       .carry = still};
    switch (collider.shape) {
        case ColliderShape::sphere:
            out.b = out.a;
            break;
        case ColliderShape::capsule:
            out.b = apply(pose, collider.end);
            break;
        case ColliderShape::plane:
            out.b = rotate(pose.rotation, unit_or(collider.normal, Vec3f{0, 1, 0}));
            break;
    }
    if (collider.attached) out.carry = motion_from(from, to);
    return out;
}

}  // namespace ringlet
