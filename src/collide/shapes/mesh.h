// A triangle mesh, by its signed distance on a grid (collide/mesh_body.h).
#pragma once

#include "collide/placed_collider.h"

namespace ringlet {

struct Collider;
struct DrawnShape;

struct ShapeMesh {
    static constexpr SurfaceFrame kFrame = SurfaceFrame::own;

    template <class F>
    RINGLET_KERNEL static SurfacePoint<F> nearest(const PlacedCollider& body, Vec3<F> p) {
        return sample_grid(body.grid, p);
    }

    static void place(const Collider& collider, const Rigidf& pose, PlacedCollider& placed);
    // Draws nothing: the session draws the mesh itself.
    static void draw(const PlacedCollider& body, const Rigidf& to_world, DrawnShape& drawn);
};

}  // namespace ringlet
