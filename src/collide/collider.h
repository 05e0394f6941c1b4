// Bodies that hair cannot enter: what a scene says of them, and where they are in a substep.
#pragma once

#include "math/quat.h"

namespace ringlet {

enum class ColliderShape { sphere, capsule, plane };

struct Collider {
    ColliderShape shape = ColliderShape::sphere;
    Vec3f centre{0, 0, 0};      // m; of a sphere, one end of a capsule's axis, a point of a plane
    Vec3f end{0, 0, 0};         // m; the other end of a capsule's axis
    Vec3f normal{0, 1, 0};      // of a plane, pointing to where hair may be
    float radius = 0.1f;        // m
    float friction = 0.3f;      // Coulomb coefficient of what slides
    float static_friction = 0;  // of what rests; where it is less, friction holds
    float restitution = 0;      // 0 does not bounce, 1 keeps its speed
    bool attached = true;       // moves with the head
};

// A collider in one substep: placed as at its end, with the motion that brought it there.
struct PlacedCollider {
    ColliderShape shape;
    Vec3f a, b;  // ends of the axis (equal for a sphere); for a plane, a point and the unit normal
    float radius;
    float friction, static_friction, restitution;
    Rigidf carry;  // takes a material point from its place at the start of the substep to its end
};

// `from` and `to` are the head's pose at the start and end of the substep.
PlacedCollider place(const Collider& collider, const Rigidf& from, const Rigidf& to);

template <class F>
struct SurfacePoint {
    F distance;  // negative inside
    Vec3<F> normal;
};

// Signed distance from p to a collider, and the outward normal there.
template <class F>
RINGLET_KERNEL SurfacePoint<F> nearest_surface(const PlacedCollider& body, Vec3<F> p) {
    if (body.shape == ColliderShape::plane) {
        const Vec3<F> n = splat<F>(body.b);
        return {dot(p - splat<F>(body.a), n), n};
    }
    // A sphere is a capsule whose axis has no length.
    const Vec3<F> a = splat<F>(body.a);
    const Vec3<F> axis = splat<F>(body.b - body.a);
    const F along = dot(p - a, axis) / max(dot(axis, axis), F(kTiny));
    const Vec3<F> outward = p - (a + axis * min(max(along, F(0)), F(1)));
    const F distance = norm(outward);
    return {distance - F(body.radius), unit_or(outward, Vec3<F>{F(0), F(1), F(0)})};
}

}  // namespace ringlet
