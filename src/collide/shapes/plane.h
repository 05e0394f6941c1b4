// A half space: hair stays on the side of the plane through a that the unit normal b points to.
#pragma once

#include "collide/placed_collider.h"

namespace ringlet {

struct Collider;
struct DrawnShape;

struct ShapePlane {
    static constexpr SurfaceFrame kFrame = SurfaceFrame::world;

    template <class F>
    RINGLET_KERNEL static SurfacePoint<F> nearest(const PlacedCollider& body, Vec3<F> p) {
        const Vec3<F> n = splat<F>(body.b);
        return {dot(p - splat<F>(body.a), n), n};
    }

    static void place(const Collider& collider, const Rigidf& pose, PlacedCollider& placed);
    static void draw(const PlacedCollider& body, const Rigidf& to_world, DrawnShape& drawn);
};

}  // namespace ringlet
