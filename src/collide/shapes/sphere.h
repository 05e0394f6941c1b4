// A sphere: a capsule whose axis has no length.
#pragma once

#include "collide/shapes/capsule.h"

namespace ringlet {

struct ShapeSphere {
    template <class F>
    RINGLET_KERNEL static SurfacePoint<F> nearest(const PlacedCollider& body, Vec3<F> p) {
        return ShapeCapsule::nearest(body, p);
    }

    static void place(const Collider& collider, const Rigidf& pose, PlacedCollider& placed);
    static void draw(const PlacedCollider& body, const Rigidf& to_world, DrawnShape& drawn);
};

}  // namespace ringlet
