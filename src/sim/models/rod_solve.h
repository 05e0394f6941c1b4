// One Newton step of the rod: the torque balance and the length constraint of all segments of a
// strand, eliminated from root to tip and substituted back from tip to root.
//
// Most functions are templates over K, the stiffness of a joint (Axial3: circular cross sections;
// Sym3: any), and W, the inverse mass of a vertex (rod_rows.h).
#pragma once

#include "sim/models/rod_stage.h"

namespace ringlet {

// Relative stretch up to which a strand counts as converged.
inline constexpr float kRodConvergedStretch = 0.002f;

namespace rod {

// Stiffness of a joint whose segment points along d, with the wide axis of the cross section along
// `wide`.
template <class F>
RINGLET_KERNEL void set_stiffness(Axial3<F>& out, const RodUniforms& p, F k, Vec3<F> d, Vec3<F>) {
    out = {k, k * F(p.twist - 1), d};
}
template <class F>
RINGLET_KERNEL void set_stiffness(Sym3<F>& out, const RodUniforms& p, F k, Vec3<F> d,
                                  Vec3<F> wide) {
    out = isotropic(k * F(p.about_narrow)) + outer(d) * (k * F(p.twist - p.about_narrow)) +
          outer(wide) * (k * F(p.about_wide - p.about_narrow));
}

// The joint at the root end of a segment, and the segment's axes.
template <class F, class K>
struct Joint {
    Vec3<F> d, wide, torque;
    K stiffness;  // K (1 + beta/h)
};

// c = Log(q_i conj(q_{i-1} rest_rotation_i)), and the torque conjugate to c of the energy c.Kc/2.
// Rayleigh damping adds beta K dc/dt, implicitly.
template <class F, class K>
RINGLET_KERNEL Joint<F, K> joint_at(const RodUniforms& p, const Strand<F>& s, int i, Quat<F> before,
                                    Quat<F> q, Quat<F> rest_rotation, F bend) {
    Joint<F, K> out;
    out.d = tangent_of(q);
    out.wide = zero_vec3<F>();
    if constexpr (std::is_same_v<K, Sym3<F>>) out.wide = normal_of(q);
    const Vec3<F> c = log_map(q * conjugate(before * rest_rotation));
    const F k = bend * F(p.h * p.h);
    K elastic;
    set_stiffness(elastic, p, k, out.d, out.wide);
    Vec3<F> damped = c;
    if (p.rayleigh_rate > 0) damped += (c - rotate(q, s.strain[i])) * s.rayleigh_rate;
    out.torque = conjugate_torque(c, elastic * damped);
    set_stiffness(out.stiffness, p, k * (F(1) + s.rayleigh_rate), out.d, out.wide);
    return out;
}

// One segment's rows of the Newton system, before elimination.
template <class F>
struct Rows {
    Sym3<F> a;
    Mat3<F> b;
    Sym3<F> s;
    BlockVector<F> side;
};

// A segment, as rows_of() reads it.
template <class F>
struct Segment {
    Vec3<F> apart;  // from its start to its end, at the start of the substep
    Vec3<F> lambda;
    Quat<F> q, q_free;
    F length, inertia;
};

// The torque balance g and the gap r of a segment, and their derivatives. Padding becomes 1 x = 0.
template <class F, class K, class W>
RINGLET_KERNEL Rows<F> rows_of(const Segment<F>& segment, const Joint<F, K>& here,
                               const Joint<F, K>& after, const Vertex<F, W>& start,
                               const Vertex<F, W>& end) {
    const auto active = segment.length >= F(0);
    const F l = max(segment.length, F(0)), inertia = select(active, segment.inertia, F(1));
    const Vec3<F> d = here.d, lambda = segment.lambda, zero = zero_vec3<F>();
    const Vec3<F> g = log_map(segment.q * conjugate(segment.q_free)) * inertia + here.torque -
                      after.torque - cross(d, lambda) * l;
    const Vec3<F> r = segment.apart + (end.moved - start.moved) - d * l;
    // The geometric stiffness of a force in the segment, l (c (I - d d^T) - sym(lambda_across
    // d^T)), is indefinite; this is an upper bound. Without it Newton's method can oscillate.
    const F along = dot(lambda, d), across = norm(lambda - d * along);
    const F b = max(along + F(0.5f) * across, F(0));
    const Axial3<F> geometric = {inertia + l * b, l * (F(0.5f) * across - b), d};
    const Sym3<F> a = to_sym3(here.stiffness) + to_sym3(after.stiffness) + to_sym3(geometric);
    const Vec3<F> ld = d * l;
    const Mat3<F> skew = {{F(0), -ld.z, ld.y}, {ld.z, F(0), -ld.x}, {-ld.y, ld.x, F(0)}};
    return {a,
            skew,
            select(active, to_sym3(start.w) + to_sym3(end.w), isotropic(F(1))),
            {select(active, -g, zero), select(active, -r, zero)}};
}

// Eliminates from root to tip and stores the inverse pivots. The off-diagonal blocks are -K_i for
// angles and w_i for multipliers. The row after the last segment is a joint without stiffness. The
// first solve also finds the strands that spin too fast to be extrapolated.
template <bool kFirst, class K, class W, class F>
RINGLET_KERNEL void eliminate(const RodUniforms& p, const Strand<F>& s, Outcome<F>& outcome) {
    using Row = ForwardRow<F, kFirst, W>;
    const bool is_first = s.template is_first<kFirst>();
    RowStream<Row, Strand<F>> rows(s, 0, 1, s.rows);
    Row at = rows.next();
    Quat<F> q, q_free;
    at.get_frames(p, q, q_free);
    Joint<F, K> here = joint_at<F, K>(p, s, 0, s.head.rotation, q, at.rest_rotation(), at.bend());
    Vertex<F, W> start(p, at, zero_vec3<F>() - at.lambda());
    // A pivot of zeros before the first segment changes nothing.
    PivotInverse<F> pivot{};
    BlockVector<F> side{};
    F spin = F(0);
    for (int i = 0; i < s.segments; ++i) {
        if (is_first) spin = max(spin, dot(at.omega(), at.omega()));
        const Row next = rows.next();
        Quat<F> q_next, q_free_next;
        next.get_frames(p, q_next, q_free_next);
        const Joint<F, K> after =
            joint_at<F, K>(p, s, i + 1, q, q_next, next.rest_rotation(), next.bend());
        const Vertex<F, W> end(p, next, at.lambda() - next.lambda());
        const Segment<F> segment = {
            next.x() - at.x(), at.lambda(), q, q_free, at.length(), at.inertia() * s.inertia_scale};
        const Rows<F> row = rows_of(segment, here, after, start, end);
        // The tip has a mass, but the padding after it is no segment.
        const W o = select(segment.length >= F(0), start.w, start.w * F(0));
        const Mat3<F> coupled = times(o, times(pivot.b, here.stiffness));
        const Mat3<F> b = {row.b.x + coupled.x, row.b.y + coupled.y, row.b.z + coupled.z};
        const BlockVector<F> right = {row.side.angle + here.stiffness * side.angle,
                                      row.side.multiplier - times(o, side.multiplier)};
        pivot = invert_pivot(row.a - sandwich(here.stiffness, pivot.a), b,
                             row.s - sandwich(o, pivot.c));
        side = pivot * right;
        s.factor.set(i, {pivot, side});
        at.move_to(next);
        q = q_next;
        q_free = q_free_next;
        here = after;
        start = end;
    }
    if (is_first && p.stage == StepStage::first) outcome.spins = spin > max_resolved_spin<F>(p);
}

// The larger of `most` and the length error (m) of one more segment beyond the tolerance; 0 for a
// segment of zero length.
template <class F>
RINGLET_KERNEL F max_length_error(F most, Vec3<F> apart, F l) {
    const F error = abs(norm(apart) - l) - l * F(kRodConvergedStretch);
    return max(most, select(l > F(kTiny), error, F(0)));
}

// Stores the displacements under the current forces and returns the largest length error (m).
template <class W, class F>
RINGLET_KERNEL F store_displacements(const RodUniforms& p, const Strand<F>& s) {
    F most = F(0);
    Vec3<F> x_before = zero_vec3<F>(), moved_before = x_before;
    for (int i = 0; i < s.rows; ++i) {
        const Vec3<F> x = s.x[i], moved = Vertex<F, W>(p, VertexView<F>{s, i}, s.pull(i)).moved;
        if (i > 0)
            most = max_length_error(most, (x - x_before) + (moved - moved_before), s.length[i - 1]);
        s.u.set(i, moved);
        x_before = x;
        moved_before = moved;
    }
    return most;
}

// Substitutes back from tip to root and applies the rotations and changes of lambda in the wanted
// lanes. A rotation is limited to 1 rad, beyond which its linearisation is meaningless. On a GPU,
// if this may be the last solve, also finishes the substep and returns the largest length error.
template <bool kFirst, class K, class W, class F>
RINGLET_KERNEL F substitute_back(const RodUniforms& p, const Strand<F>& s, bool may_be_last,
                                 Outcome<F>& outcome) {
    using Row = BackwardRow<F, kFirst, W>;
    const Mask<F> wanted = outcome.unconverged;
    const bool finishes = kOnGpu && may_be_last;
    const bool keeps_frames = !finishes || p.stage == StepStage::first;
    const bool finds_turn = s.template is_first<kFirst>() && p.stage == StepStage::first;
    const bool discards = p.collider_count == 0 && can_discard_rows(s.segments);
    RowStream<Row, Strand<F>> rows(s, s.segments, -1, s.rows);
    Row after = rows.next();
    Vec3<F> lambda_after = after.lambda(), x_end = after.x(), moved_end = zero_vec3<F>();
    Quat<F> q_after = after.q(p), solved_q = q_after;
    if (keeps_frames) s.q.set(s.segments, q_after);
    if (kOnGpu && !finishes) s.lambda_out.set(s.segments, lambda_after);
    BlockVector<F> solved_after = {zero_vec3<F>(), zero_vec3<F>()};
    Mask<F> falls_back = outcome.impact || outcome.spins;
    if (p.stage == StepStage::first) falls_back = falls_back || s.meets_strand;
    StageEnd<F, false> end(p, s, falls_back);
    F error = F(0);
    const auto finish_vertex = [&](int i, Vec3<F> pull) {
        const Vec3<F> x = after.x();
        const Vec3<F> moved = Vertex<F, W>(p, after, pull).moved;
        error = max_length_error(error, (x_end - x) + (moved_end - moved), after.length());
        end.set(i, after, contact_of<W>(after), moved, lambda_after, solved_q);
        x_end = x;
        moved_end = moved;
    };
    for (int i = s.segments - 1; i >= 0; --i) {
        const Row row = rows.next();
        const EliminatedRow<F> factor = row.factor();
        K stiffness;
        set_stiffness(stiffness, p, after.bend() * (F(p.h * p.h) * (F(1) + s.rayleigh_rate)),
                      tangent_of(q_after), normal_of(q_after));
        W w;
        Vec3<F> unused;
        get_mass(after, after.w() * s.w_scale, zero_vec3<F>(), w, unused);
        const BlockVector<F> more =
            factor.pivot *
            BlockVector<F>{stiffness * solved_after.angle, -times(w, solved_after.multiplier)};
        const BlockVector<F> solved = {factor.side.angle + more.angle,
                                       factor.side.multiplier + more.multiplier};
        if (finds_turn) outcome.turn = max(outcome.turn, dot(solved.angle, solved.angle));
        const Vec3<F> lambda = row.lambda();
        const Vec3<F> solved_lambda = select(wanted, lambda + solved.multiplier, lambda);
        if (finishes) finish_vertex(i + 1, solved_lambda - lambda_after);
        q_after = row.q(p);
        solved_q = select(wanted, renormalise(exp_map(solved.angle, F(1)) * q_after), q_after);
        if (!finishes) s.lambda_out.set(i, solved_lambda);
        if (keeps_frames) s.q.set(i, solved_q);
        lambda_after = solved_lambda;
        solved_after = solved;
        after.move_to(row);
        if (discards) discard_row(s.factor, i);
    }
    if (finishes) {
        finish_vertex(0, zero_vec3<F>() - lambda_after);
        outcome.unsound = end.unsound;
    }
    return error;
}

template <bool kFirst, class K, class W, class F>
RINGLET_OUTLINED F newton_step(const RodUniforms& p, const Strand<F>& s, bool may_be_last,
                               Outcome<F>& outcome) {
    eliminate<kFirst, K, W>(p, s, outcome);
    const F error = substitute_back<kFirst, K, W>(p, s, may_be_last, outcome);
    return !kOnGpu && may_be_last ? store_displacements<W>(p, s) : error;
}
// The n-th step. Returns the largest length error if another step may be needed.
template <class K, class W, class F>
RINGLET_KERNEL F newton_step(const RodUniforms& p, Strand<F>& s, int n, Outcome<F>& outcome) {
    const bool may_be_last = n + 1 >= p.solves;
    if constexpr (kOnGpu) {
        s.is_first_solve = n == 0;
        return newton_step<false, K, W>(p, s, may_be_last, outcome);
    } else {
        return n == 0 ? newton_step<true, K, W>(p, s, may_be_last, outcome)
                      : newton_step<false, K, W>(p, s, may_be_last, outcome);
    }
}

}  // namespace rod

}  // namespace ringlet
