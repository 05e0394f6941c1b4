// Position constraints of one strand per lane, and their projection.
//
// All of them act on the displacement u of a vertex since the start of the substep rather than on
// its position x + u. u is about a thousand times smaller, and so are its rounding errors and the
// drift of momentum.
//
// General projection (Müller et al. 2007, eq. 8-9): du_i = -s w_i grad_i C with
// s = C / sum_j w_j |grad_j C|^2. Gradients of internal constraints sum to zero and have no moment,
// which conserves linear and angular momentum.
#pragma once

#include "math/elementary.h"
#include "math/vec3.h"

namespace ringlet {

// A vertex during the projection of constraints.
template <class F>
struct Moving {
    Vec3<F> x;  // at the start of the substep
    Vec3<F> u;  // displacement so far
    F w;        // inverse mass
};

// The current vector from vertex a to vertex b.
template <class F>
RINGLET_KERNEL Vec3<F> between(const Moving<F>& a, const Moving<F>& b) {
    return (b.x - a.x) + (b.u - a.u);
}

// C = |b - a| - l (Müller et al. 2007, eq. 10-11), where `apart` is b - a at the start of the
// substep and u_a, u_b are displacements. Returns (b - a) C / |b - a| times the stiffness.
// Coincident vertices separate along a fixed direction: a tiny offset is added, which any other
// distance rounds away.
template <class F>
RINGLET_KERNEL Vec3<F> distance_error_vector(Vec3<F> apart, Vec3<F> u_a, Vec3<F> u_b, F l,
                                             F stiffness) {
    Vec3<F> d = apart + (u_b - u_a);
    d.y = d.y - F(1e-15f);
    const F length = norm(d);
    return d * ((length - l) / max(length, F(1e-18f)) * stiffness);
}

// C = angle between the chunks a-b and b-c minus its rest value (rad); rest < 0 switches it off.
// Unlike a distance constraint between a and c, it does not depend on the lengths.
template <class F>
RINGLET_KERNEL void project_angle(Moving<F>& a, Moving<F>& b, Moving<F>& c, F rest, F k) {
    const Vec3<F> e1 = between(a, b), e2 = between(b, c);
    const F l1 = norm(e1), l2 = norm(e2);
    const auto active = (rest >= F(0)) && (l1 > F(1e-9f)) && (l2 > F(1e-9f));
    const Vec3<F> t1 = e1 * (F(1) / max(l1, F(1e-9f)));
    const Vec3<F> t2 = e2 * (F(1) / max(l2, F(1e-9f)));
    const F cosine = dot(t1, t2);
    const F sine = norm(cross(t1, t2));
    // Perpendicular to each chunk in the plane of both; a straight pair bends in a fixed direction.
    const Vec3<F> straight = perpendicular(t1);
    const Vec3<F> m1 = unit_or(t2 - t1 * cosine, straight);
    const Vec3<F> m2 = unit_or(t1 - t2 * cosine, -straight);

    const Vec3<F> grad_a = m1 * (F(1) / max(l1, F(1e-9f)));
    const Vec3<F> grad_c = m2 * (F(-1) / max(l2, F(1e-9f)));
    const Vec3<F> grad_b = -(grad_a + grad_c);
    const F total =
        a.w * dot(grad_a, grad_a) + b.w * dot(grad_b, grad_b) + c.w * dot(grad_c, grad_c);
    const F error = atan2(sine, cosine) - rest;
    const F s = select(active, k * error / max(total, F(kTiny)), F(0));
    a.u -= grad_a * (a.w * s);
    b.u -= grad_b * (b.w * s);
    c.u -= grad_c * (c.w * s);
}

// C = n.(x + u - q) >= 0 for a surface point q, given as offset = n.(x - q) (Müller et al. 2007,
// section 3.4): an inequality, projected exactly onto the surface.
template <class F>
RINGLET_KERNEL void project_half_space(Vec3<F>& u, F w, Vec3<F> n, F offset) {
    const F c = dot(n, u) + offset;
    u += n * select((c < F(0)) && (w > F(0)), -c, F(0));
}

}  // namespace ringlet
