// A collider in one substep, as kernels see it.
#pragma once

#include "collide/distance_grid.h"
#include "math/quat.h"

namespace ringlet {

enum class ColliderShape : int;  // collide/shapes.h

// The frame of the point that a shape's nearest() expects. of_other_shape: the collider is placed
// as another shape, and nearest() is never called.
enum class SurfaceFrame { world, own, of_other_shape };

// An upper bound on the motion of a body in one substep. It costs less than the motion itself, and
// lets a kernel skip vertices that no body can reach.
struct MotionBound {
    Vec3f origin;                  // m, of the body's frame at the start of the substep
    Vec3f x, y, z;                 // the world's axes at the start, in the body's frame at the end
    float moved, moved_per_metre;  // m the origin moves, and m more for each metre from the origin

    // From the origin at the start of the substep, in world axes, to the body's frame at its end.
    template <class F>
    RINGLET_KERNEL Vec3<F> to_body(Vec3<F> from_origin) const {
        return splat<F>(x) * from_origin.x + splat<F>(y) * from_origin.y +
               splat<F>(z) * from_origin.z;
    }
    // The largest displacement (m) of a material point at a distance (m) from the origin.
    template <class F>
    RINGLET_KERNEL F max_displacement(F distance) const {
        return F(moved) + distance * F(moved_per_metre);
    }
};

// In world space at the end of the substep, with the motion that brought the body there.
struct PlacedCollider {
    ColliderShape shape;
    Vec3f a, b;    // m; the shape defines their meaning (collide/shapes)
    float radius;  // m
    float friction, static_friction, restitution;
    Rigidf motion;      // of a material point from the start of the substep to its end
    Rigidf pose;        // from the body's frame to the world
    DistanceGrid grid;  // of a mesh; the MeshBody owns the samples
    MotionBound motion_bound;
    bool is_thin = false;  // it may pass between two vertices (collide/segment_contact.h)
};

}  // namespace ringlet
