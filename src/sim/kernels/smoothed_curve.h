// The smoothed centreline of a strand and frames transported along it (Iben et al. 2013).
#pragma once

#include "math/vec3.h"

namespace ringlet {

// Smooths a sequence of vectors from root to tip: d_i = 2(1-beta) d_{i-1} - (1-beta)^2 d_{i-2} +
// beta^2 e_i with d_{-1} = d_{-2} = e_0 (Iben et al. 2013), written as two equal first-order
// filters. That form allows a different beta per segment and has a transpose (SmoothedBack). beta =
// 1 - exp(-l/a) for segments of length l and a smoothing length a.
template <class F>
struct Smoothed {
    Vec3<F> once, twice;

    RINGLET_KERNEL explicit Smoothed(Vec3<F> first) : once(first), twice(first) {}
    RINGLET_KERNEL Vec3<F> next(Vec3<F> e, F beta) {
        once += (e - once) * beta;
        twice += (once - twice) * beta;
        return twice;
    }
};

// The transpose of Smoothed: maps forces on d_i, tip to root, to forces on e_i. The forces on the
// strand are then the exact gradient of a potential of the smoothed curve.
template <class F>
struct SmoothedBack {
    Vec3<F> once = zero_vec3<F>(),
            twice = zero_vec3<F>();  // forces on both filters, accumulated towards the root

    RINGLET_KERNEL Vec3<F> next(Vec3<F> force, F beta) {
        const Vec3<F> on_twice = twice + force, on_once = once + on_twice * beta;
        const F left = F(1) - beta;
        twice = on_twice * left;
        once = on_once * left;
        return on_once * beta;
    }
    // The force on e_0, the initial value of both filters.
    RINGLET_KERNEL Vec3<F> last(Vec3<F> force) const { return twice + once + force; }
};

// Rotates a unit vector perpendicular to the unit vector `from` by the smallest rotation that takes
// `from` to the unit vector `to`. Leaves it unchanged where they are opposite.
template <class F>
RINGLET_KERNEL Vec3<F> transport_normal(Vec3<F> across, Vec3<F> from, Vec3<F> to) {
    const F s = dot(across, to) / max(F(1) + dot(from, to), F(1e-6f));
    const Vec3<F> out = across - (from + to) * s;
    return out * (F(1.5f) - F(0.5f) * dot(out, out));  // one Newton step towards unit length
}

// A frame on the smoothed curve, parallel transported: it does not twist about the curve.
template <class F>
struct CurveFrame {
    Vec3<F> tangent, normal;

    RINGLET_KERNEL void travel(Vec3<F> along) {
        const Vec3<F> to = unit_or(along, tangent);
        normal = transport_normal(normal, tangent, to);
        tangent = to;
    }
    RINGLET_KERNEL Vec3<F> to_world(Vec3<F> a) const {
        return normal * a.x + cross(tangent, normal) * a.y + tangent * a.z;
    }
    RINGLET_KERNEL Vec3<F> to_local(Vec3<F> a) const {
        return {dot(normal, a), dot(cross(tangent, normal), a), dot(tangent, a)};
    }
};

// The transpose of CurveFrame: maps moments on frames, tip to root, to forces on the smoothed
// segments that transport them.
//
// When the tangents T_j of the smoothed segments d_j change by dT_j, the frame rotates by T_j x
// dT_j. Because it is parallel transported from the root, it also twists about T_j by an angle that
// grows by -k_j.(dT_{j-1} + dT_j) / 2 at each j. k_j = 2 T_{j-1} x T_j / (1 + T_{j-1}.T_j) is the
// discrete curvature: the area that the tangents sweep on the unit sphere (Bergou et al. 2008,
// "Discrete elastic rods").
template <class F>
struct CurveFrameBack {
    F twist = F(0);  // sum of the moments about the curve of all frames up to the tip
    Vec3<F> after = zero_vec3<F>();  // half k_{j+1} times the twist there

    // `per_length` is 1/|d_j|.
    RINGLET_KERNEL Vec3<F> next(Vec3<F> moment, Vec3<F> tangent_before, Vec3<F> tangent,
                                F per_length) {
        twist = twist + dot(moment, tangent);
        const F half = twist / max(F(1) + dot(tangent_before, tangent), F(1e-2f));
        const Vec3<F> here = cross(tangent_before, tangent) * half;
        const Vec3<F> on_tangent = cross(moment, tangent) - here - after;
        after = here;
        return (on_tangent - tangent * dot(tangent, on_tangent)) * per_length;
    }
};

}  // namespace ringlet
