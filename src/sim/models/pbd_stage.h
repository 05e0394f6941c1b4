// The end of a stage of a second-order step of pbd (sim/kernels/sdirk2.h): the projection of
// velocities onto the length constraints, and the state that the next stage starts from.
//
// Where the extrapolation of the first stage would continue an impact, a strand keeps the state at
// the end of that stage, and its second stage is a backward Euler step of length (1 - g) H.
#pragma once

#include "sim/kernels/limits.h"
#include "sim/kernels/sdirk2.h"
#include "sim/models/pbd_sweeps.h"

namespace ringlet::pbd {

template <class F>
using Mask = decltype(F(0) < F(1));

// A constraint of the length solve with a smaller pivot, relative to the inverse mass of a free
// vertex, counts as dependent on the others. Rounding stays below this for a hundred segments.
inline constexpr float kMinPivot = 1e-5f;

// A segment that a stage rotates by more than the angle with this cosine is not extrapolated: its
// lengths would be far from their rest values, and a strand thrown about would gain energy.
inline constexpr float kMinResolvedCosine = 0.989f;

// Solves a scalar tridiagonal system for one multiplier per segment, such that the multipliers
// along the segments n_i change a quantity of the vertices by w_i (n_i lambda_i - n_{i-1}
// lambda_{i-1}) and its relative value along each segment by -error(i). The matrix is
// sum_j w_j grad_j C_i . grad_j C_k: w_i + w_{i+1} on the diagonal and -w_{i+1} n_i.n_{i+1} next to
// it.
//
// In a straight strand held at both ends the last constraint depends on the others: its pivot is
// zero except for rounding. Its multiplier is then zero.
//
// error(i, e, length) returns the error of segment i with vector e; change(i, vertex, by) adds to
// vertex i.
template <class F, class S, class Error, class Change>
RINGLET_KERNEL void solve_along_segments(const S& s, const Error& error, const Change& change) {
    const int last = s.rows - 1;
    Vec3<F> n_before = zero_vec3<F>();
    F pivot_before = F(1), right_before = F(0);
    const F min_pivot = s.w.free * F(kMinPivot);
    for (int i = 0; i < last; ++i) {
        const Moving<F> a = s.vertex(i), b = s.vertex(i + 1);
        const Vec3<F> e = between(a, b);
        const F l = s.length[i], length = norm(e), total = a.w + b.w;
        const auto active = (l >= F(0)) && (total > F(0)) && (length > F(kTiny));
        const Vec3<F> n = select(active, e * (F(1) / max(length, F(kTiny))), zero_vec3<F>());
        const F off_diagonal = -a.w * dot(n_before, n);
        const F factor = off_diagonal / pivot_before;
        const F reduced = total - factor * off_diagonal;
        const auto independent = active && (reduced > min_pivot);
        const F pivot = select(independent, reduced, F(1));
        const F right = select(independent, error(i, n, length) - factor * right_before, F(0));
        s.pivot.set(i, pivot);
        s.lambda.set(i, right);
        n_before = n;
        pivot_before = pivot;
        right_before = right;
    }
    // Substitutes back from the tip: lambda_i = (right_i - off_diagonal_{i+1} lambda_{i+1}) /
    // pivot_i. Each vertex changes as soon as the multipliers on both its sides are known.
    Vec3<F> n_after = zero_vec3<F>();
    F lambda_after = F(0);
    Moving<F> b = s.vertex(last);
    for (int i = last - 1; i >= 0; --i) {
        const Moving<F> a = s.vertex(i);
        const Vec3<F> e = between(a, b);
        const F l = s.length[i], length = norm(e);
        const auto active = (l >= F(0)) && (a.w + b.w > F(0)) && (length > F(kTiny));
        const Vec3<F> n = select(active, e * (F(1) / max(length, F(kTiny))), zero_vec3<F>());
        const F off_diagonal = -b.w * dot(n, n_after);
        const F lambda =
            select(active, (s.lambda[i] - off_diagonal * lambda_after) / s.pivot[i], F(0));
        change(i + 1, b, (n_after * lambda_after - n * lambda) * b.w);
        n_after = n;
        lambda_after = lambda;
        b = a;
    }
    change(0, b, n_after * lambda_after * b.w);
}

// Makes the velocities s.v_end of the ends of each segment equal along the segment. Lengths are
// constraints on positions, so velocities from differences of positions are only of first order;
// a step that starts from them would gain energy.
template <class F, class S>
RINGLET_KERNEL void project_velocities(const S& s) {
    const Rows3<F>& v = s.v_end;
    solve_along_segments<F>(
        s, [&](int i, Vec3<F> n, F) { return dot(n, v[i + 1] - v[i]); },
        [&](int i, const Moving<F>&, Vec3<F> by) { v.set(i, v[i] + by); });
}

// The lanes in which a segment rotates too far to be extrapolated.
template <class F, class S>
RINGLET_KERNEL Mask<F> turns_far(const S& s) {
    Mask<F> out = F(1) < F(0);
    for (int i = 0; i + 1 < s.rows; ++i) {
        const Moving<F> a = s.vertex(i), b = s.vertex(i + 1);
        const Vec3<F> before = b.x - a.x, now = between(a, b);
        const F l = s.length[i];
        out = out || ((l >= F(0)) && (dot(before, now) < l * l * F(kMinResolvedCosine)));
    }
    return out;
}

// Ends a stage: writes positions and velocities, after a first stage those that the second one
// starts from. `falls_back` are the strands that are not extrapolated. Values out of range are
// reset and reported (limits.h).
template <class F, class P, class S>
RINGLET_OUTLINED void advance_stage(const P& p, const S& s, Mask<F> falls_back) {
    const bool is_first = p.stage == StepStage::first;
    if (is_first) falls_back = falls_back || turns_far<F>(s);
    for (int i = 0; i < s.rows; ++i) {
        const Vec3<F> u = s.u[i], v = s.v[i];
        Vec3<F> v_end = v + (u - v * s.h) * s.rate;
        if (p.collider_count > 0) v_end += s.normal[i] * s.offset[i];
        s.v_end.set(i, select(s.w[i] <= F(0), v, v_end));
    }
    project_velocities<F>(s);
    const F ahead = select(falls_back, F(0), F(is_first ? sdirk2::kExtrapolation : 0.0f));
    const Vec3<F> gravity = splat<F>(p.gravity), force = splat<F>(p.force);
    F repaired = F(-1);
    for (int i = s.rows - 1; i >= 0; --i) {
        const F w = s.w[i];
        const auto is_held = w <= F(0);
        const Vec3<F> x = s.x[i], u = s.u[i], v_end = s.v_end[i];
        const Vec3<F> v_start = s.v[i] - (gravity + force * w) * s.h;
        const F more = select(is_held, F(0), ahead);
        const Vec3<F> next_v = v_end + (v_end - v_start) * more;
        const Vec3<F> next_x = x + u * (F(1) + more);
        const auto sane = (norm(next_v) < F(kMaxSpeed)) && (norm(next_x) < F(kMaxCoordinate));
        repaired = select(sane || is_held, repaired, F(static_cast<float>(i)));
        s.v.set(i, select(sane || is_held, next_v, zero_vec3<F>()));
        s.x.set(i, select(sane || is_held, next_x, x));
    }
    s.repaired.set(0, max(s.repaired[0], repaired));
    s.plain.set(0, select(falls_back, F(is_first ? 1.0f : 0.0f), F(0)));
}

}  // namespace ringlet::pbd
