// The end of a substep of the rod: the state that the next one starts from, and the projection of
// velocities onto the length constraints.
//
// The first stage of a second-order step ends with the extrapolated state y* (sdirk2.h). Where that
// would extrapolate through an impact, it ends with the state y1 of the stage instead, and the
// second stage becomes a backward Euler step of length (1 - g) H: of single vertices while they
// touch a body, and of whole strands after an impact or if the solve has not converged.
#pragma once

#include "sim/kernels/limits.h"
#include "sim/models/rod_rows.h"

namespace ringlet::rod {

// Rotation (rad) by a solve above which the first stage does not resolve the motion of a strand,
// for instance that of a cracking whip.
inline constexpr float kMaxResolvedTurn = 0.1f;
// Rotation (rad) of a segment in a step H, by its angular velocity at the start, above which the
// strand is not extrapolated: it would gain energy.
inline constexpr float kMaxResolvedSpin = 0.5f;

// The results of the solves of a substep, per strand.
template <class F>
struct Outcome {
    Mask<F> unconverged = F(0) < F(1);  // may be longer or shorter than it should
    Mask<F> impact = F(1) < F(0);       // met a body faster than a resting strand does
    Mask<F> spins = F(1) < F(0);        // rotates by more than kMaxResolvedSpin
    F turn = F(0);                      // square of the largest rotation by the first solve
    Mask<F> unsound = F(1) < F(0);      // GPU: StageEnd wrote values that are out of range
    int near_end = 0;                   // the row after the last vertex that may be in contact
    bool touches = false;               // some vertex of the block, or of the warp, may be
    bool is_given_up = false;           // left to a second attempt
};

template <class F>
RINGLET_KERNEL auto is_within(Vec3<F> a, F limit) {
    return dot(a, a) < limit * limit;
}

// The square of the angular velocity above which a segment rotates by more than kMaxResolvedSpin.
template <class F>
RINGLET_KERNEL F max_resolved_spin(const RodUniforms& p) {
    const float limit = kMaxResolvedSpin * sdirk2::kGamma / p.h;
    return F(limit * limit);
}

// Whether velocities are projected. Two fixed ends leave no freedom to do so.
RINGLET_KERNEL bool projects_velocities(const RodUniforms& p) {
    return p.stage != StepStage::whole && !p.holds_tips;
}

// Lengths are constraints on positions, so velocities from differences of positions are only of
// first order. The velocities of the segments' ends are therefore made equal along each segment,
// (v_{i+1} - v_i).d_i = 0, by impulses mu_i along the segments. This eliminates the tridiagonal
// system from tip to root,
//   (w_i + w_{i+1}) mu_i - w_{i+1} (d_i.d_{i+1}) mu_{i+1} - w_i (d_i.d_{i-1}) mu_{i-1}
//     = -(v_{i+1} - v_i).d_i,
// and project_velocities() substitutes back. Contact decides the velocities up to the last vertex
// that touches a body.
template <class F>
struct VelocityProjection {
    Mask<F> ended;  // no segment before this one takes part
    Vec3<F> v = zero_vec3<F>();
    F w = F(0);
    ProjectionRow<F> after = {zero_vec3<F>(), F(0), F(0)};

    // Adds vertex i and its segment, from the tip on.
    RINGLET_KERNEL void add(const Strand<F>& s, int i, Vec3<F> v_here, F w_here, Vec3<F> d,
                            F length, Mask<F> is_touching) {
        const auto active = !ended && (length >= F(0)) && (w > F(0));
        const F w_own = select(is_touching, F(0), w_here);
        const F coupling = w * dot(d, after.d);
        const F pivot = w_own + w - coupling * coupling * after.over_pivot;
        const F over_pivot = select(active, F(1) / select(active, pivot, F(1)), F(0));
        const F side = coupling * after.rate - dot(v - v_here, d);
        after = {d, side * over_pivot, over_pivot};
        s.projection.set(i, after);
        ended = ended || is_touching;
        v = v_here;
        w = w_own;
    }
};

// A row of project_velocities().
template <class F>
struct VelocityRow : RowView<Strand<F>> {
    enum { kProjection, kV = 5, kW = 8, kFloats };

    template <class Visit>
    RINGLET_KERNEL static void visit(const Strand<F>& s, const Visit& visit) {
        visit(s.projection, kProjection);
        visit(s.v_out, kV);
        visit(s.w, kW);
    }
    RINGLET_KERNEL ProjectionRow<F> projection() const {
        return this->get(this->strand.projection, kProjection);
    }
    RINGLET_KERNEL Vec3<F> v() const { return this->get(this->strand.v_out, kV); }
    RINGLET_KERNEL F w() const { return this->get(this->strand.w, kW); }
};

// Adds the impulses of VelocityProjection to the velocities. Those of the first stage are already
// extrapolated.
template <class F>
RINGLET_OUTLINED void project_velocities(const RodUniforms& p, const Strand<F>& s) {
    const F gain = F(p.stage == StepStage::first ? 1 + sdirk2::kExtrapolation : 1.0f);
    RowStream<VelocityRow<F>, Strand<F>> rows(s, 0, 1, s.rows);
    Vec3<F> impulse = zero_vec3<F>();
    F over_pivot = F(1);
    for (int i = 0; i < s.rows; ++i) {
        const VelocityRow<F> at = rows.next();
        const ProjectionRow<F> row = at.projection();
        const F w = select(over_pivot > F(0), at.w(), F(0));
        const Vec3<F> before = impulse;
        impulse = row.d * (row.rate + row.over_pivot * (w * dot(row.d, before)));
        s.v_out.set(i, at.v() + (before - impulse) * (w * gain));
        over_pivot = row.over_pivot;
    }
}

// The rotation from a to b continued by `ahead` times its angle, to second order in the angle. The
// sum is never shorter than 1, because a and b are unit quaternions.
template <class F>
RINGLET_KERNEL Quat<F> extrapolate(Quat<F> a, Quat<F> b, F ahead) {
    const F more = F(1) + ahead;
    const Quat<F> sum = {b.x * more - a.x * ahead, b.y * more - a.y * ahead,
                         b.z * more - a.z * ahead, b.w * more - a.w * ahead};
    const F s = F(1) / sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z + sum.w * sum.w);
    return {sum.x * s, sum.y * s, sum.z * s, sum.w * s};
}

// Writes the state of a vertex and of the frame of its segment at the end of the substep, from tip
// to root. Values out of range are reset and reported (limits.h), unless kGuards is false: a solve
// that may not be the last one must leave its result to the next one as it is.
template <class F, bool kGuards = true>
struct StageEnd {
    const RodUniforms& p;
    const Strand<F>& s;
    // First stage: the strand is not extrapolated. Second stage: it met a body, so that its
    // velocities are those since the first stage.
    Mask<F> falls_back;
    Mask<F> limited;                // displacements were corrected after the solve
    F repaired = F(-1);             // lowest repaired row
    Mask<F> unsound = F(1) < F(0);  // some value is out of range; unless kGuards
    VelocityProjection<F> projection;

    RINGLET_KERNEL StageEnd(const RodUniforms& uniforms, const Strand<F>& strand, Mask<F> fallen,
                            Mask<F> strain_limited = F(1) < F(0))
        : p(uniforms),
          s(strand),
          falls_back(fallen),
          limited(strain_limited),
          projection{fallen || strain_limited || strand.takes_long_step} {}

    // `rate` is the velocity at the end of the stage; x and v are what the next one starts from.
    struct End {
        Vec3<F> x, v, rate;
    };

    // v + (u - h v)/h rather than u/h: a vertex without forces keeps its velocity exactly.
    RINGLET_KERNEL Vec3<F> velocity(Vec3<F> v, F w, Vec3<F> moved, F h, F over_h) const {
        const Vec3<F> v_free = free_velocity(p, s, v, w, h);
        return v_free + (moved - v_free * h) * over_h;
    }

    // A vertex in contact and held ones stay where they are. The mean velocity of a held vertex
    // belongs to the middle of the stage.
    RINGLET_KERNEL End first_end(int i, Vec3<F> x, Vec3<F> v, Vec3<F> moved, Vec3<F> v_now,
                                 Mask<F> is_touching) const {
        Mask<F> stays = falls_back || is_touching;
        Vec3<F> rate = v_now;
        if (may_be_held(p, i)) {
            const Mask<F> held = is_held(p, s, i);
            stays = stays || held;
            rate = select(held, v_now * F(2) - v, v_now);
        }
        const F ahead = select(stays, F(0), F(sdirk2::kExtrapolation));
        return {x + moved * (F(1) + ahead), v_now + (v_now - v) * ahead, rate};
    }

    RINGLET_KERNEL End second_end(int i, Vec3<F> x, Vec3<F> v, F w, Vec3<F> moved, Vec3<F> v_now,
                                  F contact) const {
        const F over_span = F(1 / p.span), share = F(1 / sdirk2::kLongStage);
        const Vec3<F> x_now = x + moved;
        if (any(limited))
            v_now =
                select(limited && !s.takes_long_step, v_now * share + v * (F(1) - share), v_now);
        if (p.collider_count > 0 && any(falls_back || (contact > F(kFar)))) {
            const auto kept = s.takes_long_step || (s.anchor_body[i] >= F(0));
            const auto meets = falls_back || (contact > F(kNear));
            v_now = select(meets, (x_now - s.anchor[i]) * over_span, v_now);
            v_now = select(kept, velocity(v, w, moved, F(p.span), over_span), v_now);
        }
        if (!may_be_held(p, i)) return {x_now, v_now, v_now};
        // v holds the mean velocity of the first stage, whose middle is half a step earlier.
        const Vec3<F> mean = moved * over_span;
        const Vec3<F> of_held = mean + (mean - v) * F(1 - sdirk2::kGamma);
        v_now = select(is_held(p, s, i), of_held, v_now);
        return {x_now, v_now, v_now};
    }

    // `at` is a row or a VertexView at the start of the substep.
    template <class At>
    RINGLET_KERNEL void set(int i, const At& at, F contact, Vec3<F> moved, Vec3<F> lambda,
                            Quat<F> q) {
        const Vec3<F> x = at.x(), v = at.v(), zero = zero_vec3<F>();
        const F w = at.w();
        const Vec3<F> v_now = velocity(v, w, moved, s.h, s.over_h);
        const auto is_touching = contact > F(kNear);
        End end = {x + moved, v_now, v_now};
        if (p.stage == StepStage::first) end = first_end(i, x, v, moved, v_now, is_touching);
        if (p.stage == StepStage::second) end = second_end(i, x, v, w, moved, v_now, contact);
        // A held root follows the head at any speed.
        auto sane = is_within(end.x, F(kMaxCoordinate)) && is_within(lambda, F(1e9f * p.h * p.h));
        if (i > 0 || !p.holds_roots) sane = sane && is_within(end.v, F(kMaxSpeed));
        if constexpr (kGuards) {
            repaired = select(sane, repaired, F(static_cast<float>(i)));
        } else {
            unsound = unsound || !sane;
            sane = F(0) < F(1);
        }
        s.x_out.set(i, select(sane, end.x, x));
        s.v_out.set(i, select(sane, end.v, zero));
        s.lambda_out.set(i, select(sane, lambda, zero));
        const Quat<F> q_now = set_frame(i, at, q, sane);
        if (p.stage == StepStage::first && p.collider_count > 0 && any(!is_touching)) {
            const Vec3<F> x_now = select(sane, x + moved, x);
            s.anchor.set(i, any(is_touching) ? select(is_touching, s.anchor[i], x_now) : x_now);
        }
        if (projects_velocities(p))
            projection.add(s, i, select(sane, end.rate, zero), w, tangent_of(q_now), at.length(),
                           is_touching);
    }

    // Returns the frame at the end of the stage. omega = Log(q conj(q_start))/h.
    template <class At, class M>
    RINGLET_KERNEL Quat<F> set_frame(int i, const At& at, Quat<F> q, M sane) {
        const Quat<F> q_start = at.q_start();
        auto is_rotation = abs(q.w) <= F(1.01f);
        if constexpr (!kGuards) {
            unsound = unsound || !is_rotation;
            is_rotation = F(0) < F(1);
        }
        const Quat<F> q_now = select(sane && is_rotation, q, q_start);
        const Vec3<F> rotation = log_map(q_now * conjugate(q_start));
        const Vec3<F> omega = rotation * s.over_h;
        if (p.stage != StepStage::first) {
            s.q_out.set(i, q_now);
            s.omega_out.set(i, omega);
            return q_now;
        }
        const F ahead = select(falls_back, F(0), F(sdirk2::kExtrapolation));
        const Vec3<F> omega_start = at.omega() * F(p.spin_decay);
        s.q_out.set(i, extrapolate(q_start, q_now, ahead));
        s.omega_out.set(i, omega + (omega - omega_start) * ahead);
        return q_now;
    }
};

// The state of contact of a row, kFar where W says that the block touches nothing.
template <class W, class At>
RINGLET_KERNEL auto contact_of(const At& at) {
    using F = decltype(at.w());
    if constexpr (std::is_same_v<W, Sym3<F>>)
        return at.in_contact();
    else
        return F(kFar);
}

}  // namespace ringlet::rod
