// The signed distance to an ellipsoid.
#pragma once

#include "collide/distance_grid.h"

namespace ringlet {

// In the ellipsoid's own frame, its centre at the origin. The nearest point has y_i r_i^2/(t +
// r_i^2) for the t with F(t) = sum (r_i y_i/(t + r_i^2))^2 - 1 = 0 (Eberly 2013, "Distance from a
// point to an ellipse, an ellipsoid, or a hyperellipsoid"). F falls and is convex, so Newton's
// method from its left side never oversteps; started where the largest term is 1, a few steps are
// enough.
//
// The distance is then taken from the normal n alone, n.p - h(n) with the support h(n) =
// sqrt(sum r_i^2 n_i^2): no n gives more than the true distance, inside or outside, and an error of
// n counts only squared.
template <class F>
RINGLET_KERNEL SurfacePoint<F> nearest_on_ellipsoid(Vec3f radii, Vec3<F> p) {
    constexpr int kSteps = 7;
    const Vec3<F> r = splat<F>(radii);
    const Vec3<F> r2 = {r.x * r.x, r.y * r.y, r.z * r.z};
    // A little off the planes of symmetry: on them the nearest point inside may be one of two.
    const auto off = [](F a, F radius) { return max(abs(a), radius * F(1e-3f)); };
    const Vec3<F> y = {off(p.x, r.x), off(p.y, r.y), off(p.z, r.z)};
    F t = max(max(r.x * y.x - r2.x, r.y * y.y - r2.y), r.z * y.z - r2.z);
    Vec3<F> n = zero_vec3<F>();
    for (int k = 0; k <= kSteps; ++k) {
        const Vec3<F> per = {F(1) / (t + r2.x), F(1) / (t + r2.y), F(1) / (t + r2.z)};
        n = {y.x * per.x, y.y * per.y, y.z * per.z};
        const Vec3<F> s = {r.x * n.x, r.y * n.y, r.z * n.z};
        const F falls = s.x * s.x * per.x + s.y * s.y * per.y + s.z * s.z * per.z;
        t = t + (dot(s, s) - F(1)) / (falls + falls);
    }
    const auto turned = [](F a, F sign) { return select(sign < F(0), -a, a); };
    const Vec3<F> normal = unit_or(Vec3<F>{turned(n.x, p.x), turned(n.y, p.y), turned(n.z, p.z)},
                                   Vec3<F>{F(0), F(1), F(0)});
    const Vec3<F> support = {r.x * normal.x, r.y * normal.y, r.z * normal.z};
    return {dot(normal, p) - norm(support), normal};
}

}  // namespace ringlet
