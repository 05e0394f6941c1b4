// An ellipsoid with the radii b along the axes of its own frame.
#pragma once

#include "collide/placed_collider.h"

namespace ringlet {

struct Collider;
struct DrawnShape;

// In the ellipsoid's own frame, its centre at the origin. The nearest point is y_i r_i^2/(t +
// r_i^2) for the t with F(t) = sum (r_i y_i/(t + r_i^2))^2 - 1 = 0 (Eberly 2013, "Distance from a
// point to an ellipse, an ellipsoid, or a hyperellipsoid"). F decreases and is convex, so Newton's
// method from its left side never overshoots; started where the largest term is 1, a few steps
// suffice.
//
// The distance follows from the normal n alone, n.p - h(n) with the support function h(n) =
// sqrt(sum r_i^2 n_i^2): no n gives more than the true distance, inside or outside, and an error of
// n has only a second-order effect.
template <class F>
RINGLET_KERNEL SurfacePoint<F> nearest_on_ellipsoid(Vec3f radii, Vec3<F> p) {
    constexpr int kSteps = 7;
    const Vec3<F> r = splat<F>(radii);
    const Vec3<F> r2 = {r.x * r.x, r.y * r.y, r.z * r.z};
    // Slightly off the planes of symmetry, on which two points inside may be equally near.
    const auto off = [](F a, F radius) { return max(abs(a), radius * F(1e-3f)); };
    const Vec3<F> y = {off(p.x, r.x), off(p.y, r.y), off(p.z, r.z)};
    F t = max(max(r.x * y.x - r2.x, r.y * y.y - r2.y), r.z * y.z - r2.z);
    Vec3<F> n = zero_vec3<F>();
    for (int k = 0; k <= kSteps; ++k) {
        const Vec3<F> per = {F(1) / (t + r2.x), F(1) / (t + r2.y), F(1) / (t + r2.z)};
        n = {y.x * per.x, y.y * per.y, y.z * per.z};
        const Vec3<F> s = {r.x * n.x, r.y * n.y, r.z * n.z};
        const F slope = s.x * s.x * per.x + s.y * s.y * per.y + s.z * s.z * per.z;
        t = t + (dot(s, s) - F(1)) / (slope + slope);
    }
    const auto with_sign = [](F a, F sign) { return select(sign < F(0), -a, a); };
    const Vec3<F> normal =
        unit_or(Vec3<F>{with_sign(n.x, p.x), with_sign(n.y, p.y), with_sign(n.z, p.z)},
                Vec3<F>{F(0), F(1), F(0)});
    const Vec3<F> support = {r.x * normal.x, r.y * normal.y, r.z * normal.z};
    return {dot(normal, p) - norm(support), normal};
}

struct ShapeEllipsoid {
    static constexpr SurfaceFrame kFrame = SurfaceFrame::own;

    template <class F>
    RINGLET_KERNEL static SurfacePoint<F> nearest(const PlacedCollider& body, Vec3<F> p) {
        return nearest_on_ellipsoid(body.b, p);
    }

    static void place(const Collider& collider, const Rigidf& pose, PlacedCollider& placed);
    static void draw(const PlacedCollider& body, const Rigidf& to_world, DrawnShape& drawn);
};

}  // namespace ringlet
