// The curve of a tuft of fur from the skin to its tip, as m + 1 points.
// render_gl/shaders/fur_curve.glsl has the same formulas.
#pragma once

#include "math/elementary.h"
#include "math/vec3.h"

namespace ringlet {

// The assignment's curve: p_{i+1} - p_i = n + i d with n = (H/m) N and p_m = t, hence
// d = 2 (t - p - m n)/(m^2 - m) and p_i = p + i n + i (i - 1)/2 d. It starts along the normal and
// is up to 22 % too long at a right angle. Precondition: m >= 2.
template <class F>
RINGLET_KERNEL Vec3<F> original_shell_point(Vec3<F> p, Vec3<F> normal, F length, Vec3<F> tip, int m,
                                            int i) {
    const float shells = static_cast<float>(m), k = static_cast<float>(i);
    const Vec3<F> n = normal * (length / F(shells));
    const Vec3<F> d = (tip - p - n * F(shells)) * F(2 / (shells * shells - shells));
    const Vec3<F> at = p + n * F(k) + d * F(k * (k - 1) / 2);
    return i == m ? tip : at;  // the tip exactly, without rounding
}

// m segments of length H/m on a circular arc in the plane of the normal and `towards` (unit), such
// that the chord from root to tip points along `towards`. With b the angle between the two, segment
// j has the angle (2 j - 1) b/m to the normal; the sums are geometric series. All segments keep
// their length.
template <class F>
RINGLET_KERNEL Vec3<F> arc_shell_point(Vec3<F> p, Vec3<F> normal, F length, Vec3<F> towards, int m,
                                       int i) {
    const F along = dot(normal, towards);
    const Vec3<F> aside = towards - normal * along;
    const F across = norm(aside);
    const Vec3<F> side = unit_or(aside, perpendicular(normal));
    const F half = atan2(across, along) * F(1 / static_cast<float>(m));  // of a segment's turn
    const F turned = half * F(2 * static_cast<float>(i));
    const SinCos<F> end = sin_cos(turned), step = sin_cos(half);
    const auto straight = half < F(1e-4f);
    const F radius = F(0.5f) / select(straight, F(1), step.sin);
    const F k = F(static_cast<float>(i));
    const F out = select(straight, k, end.sin * radius);
    const F off = select(straight, k * k * half, (F(1) - end.cos) * radius);
    const F segment = length * F(1 / static_cast<float>(m));
    return p + normal * (segment * out) + side * (segment * off);
}

// Chord length of that arc over its length: sin(b)/b to within 1 %, computed from cos(b).
template <class F>
RINGLET_KERNEL F arc_chord(F cosine) {
    return F(0.637f) + F(0.363f) * max(cosine, F(-0.5f));
}

}  // namespace ringlet
