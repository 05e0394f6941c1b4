// A capsule: all points within `radius` of the axis from a to b.
#pragma once

#include "collide/placed_collider.h"

namespace ringlet {

struct Collider;
struct DrawnShape;

struct ShapeCapsule {
    static constexpr SurfaceFrame kFrame = SurfaceFrame::world;

    template <class F>
    RINGLET_KERNEL static SurfacePoint<F> nearest(const PlacedCollider& body, Vec3<F> p) {
        const Vec3<F> a = splat<F>(body.a);
        const Vec3<F> axis = splat<F>(body.b - body.a);
        const F along = dot(p - a, axis) / max(dot(axis, axis), F(kTiny));
        const Vec3<F> outward = p - (a + axis * min(max(along, F(0)), F(1)));
        const F distance = norm(outward);
        return {distance - F(body.radius), unit_or(outward, Vec3<F>{F(0), F(1), F(0)})};
    }

    static void place(const Collider& collider, const Rigidf& pose, PlacedCollider& placed);
    static void draw(const PlacedCollider& body, const Rigidf& to_world, DrawnShape& drawn);
};

}  // namespace ringlet
