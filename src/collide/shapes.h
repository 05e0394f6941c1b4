// The kinds of colliders. To add one, write shapes/NAME.h with the distance to its surface and
// shapes/NAME.cpp with its placement and its triangles, and add its two lines here: the physics,
// the scene's words and every renderer follow this list.
#pragma once

#include <string_view>

#include "collide/shapes/capsule.h"
#include "collide/shapes/ellipsoid.h"
#include "collide/shapes/mesh.h"
#include "collide/shapes/plane.h"
#include "collide/shapes/sphere.h"

#define RINGLET_COLLIDER_SHAPES(X) \
    X(sphere, Sphere)              \
    X(capsule, Capsule)            \
    X(plane, Plane)                \
    X(ellipsoid, Ellipsoid)        \
    X(mesh, Mesh)

namespace ringlet {

enum class ColliderShape : int {
#define RINGLET_ENUMERATOR(NAME, TYPE) NAME,
    RINGLET_COLLIDER_SHAPES(RINGLET_ENUMERATOR)
#undef RINGLET_ENUMERATOR
};

// The word of a shape, as in collider.shape.
constexpr std::string_view word_of(ColliderShape shape) {
    switch (shape) {
#define RINGLET_CASE(NAME, TYPE) \
    case ColliderShape::NAME:    \
        return #NAME;
        RINGLET_COLLIDER_SHAPES(RINGLET_CASE)
#undef RINGLET_CASE
    }
    return {};
}

RINGLET_KERNEL bool has_own_frame(ColliderShape shape) {
    switch (shape) {
#define RINGLET_CASE(NAME, TYPE) \
    case ColliderShape::NAME:    \
        return Shape##TYPE::kFrame == SurfaceFrame::own;
        RINGLET_COLLIDER_SHAPES(RINGLET_CASE)
#undef RINGLET_CASE
    }
    return false;  // never reached: all shapes are listed
}

// Calls nearest() of the collider's shape, which must expect a point in this frame.
template <SurfaceFrame kFrame, class F>
RINGLET_KERNEL SurfacePoint<F> nearest_in_frame(const PlacedCollider& body, Vec3<F> p) {
    switch (body.shape) {
#define RINGLET_CASE(NAME, TYPE)                     \
    case ColliderShape::NAME:                        \
        if constexpr (Shape##TYPE::kFrame == kFrame) \
            return Shape##TYPE::nearest(body, p);    \
        else                                         \
            break;
        RINGLET_COLLIDER_SHAPES(RINGLET_CASE)
#undef RINGLET_CASE
    }
    return {F(0), zero_vec3<F>()};  // never reached
}

// The signed distance from p to a collider and the outward normal there. Exact, or for a mesh as
// fine as its grid; outside the grid a lower bound, so sphere tracing never overshoots.
//
// The change of frame is written once for all shapes that need it, and a sphere shares the code of
// a capsule: with a copy per shape, kernels that call this several times outgrow what the compiler
// optimizes well (the rod's contacts took 80 % more instructions).
template <class F>
RINGLET_KERNEL SurfacePoint<F> nearest_surface(const PlacedCollider& body, Vec3<F> p) {
    if (!has_own_frame(body.shape)) return nearest_in_frame<SurfaceFrame::world>(body, p);
    const Rigid<F> pose = splat_rigid<F>(body.pose);
    const Vec3<F> own = rotate(conjugate(pose.rotation), p - pose.translation);
    const SurfacePoint<F> found = nearest_in_frame<SurfaceFrame::own>(body, own);
    return {found.distance, rotate(pose.rotation, found.normal)};
}

}  // namespace ringlet
