// A triangle mesh, by its signed distance on a grid (collide/mesh_body.h).
#pragma once

#include "collide/placed_collider.h"

namespace ringlet {

struct Collider;
struct DrawnShape;

struct ShapeMesh {
    template <class F>
    RINGLET_KERNEL static SurfacePoint<F> nearest(const PlacedCollider& body, Vec3<F> p) {
        const Rigid<F> pose = splat_rigid<F>(body.pose);
        const Vec3<F> own = rotate(conjugate(pose.rotation), p - pose.translation);
        const SurfacePoint<F> found = sample_grid(body.grid, own);
        return {found.distance, rotate(pose.rotation, found.normal)};
    }

    static void place(const Collider& collider, const Rigidf& pose, PlacedCollider& placed);
    // Draws nothing: the session draws the mesh itself.
    static void draw(const PlacedCollider& body, const Rigidf& to_world, DrawnShape& drawn);
};

}  // namespace ringlet
