// Inextensible Kirchhoff rod: one substep of the strands of a block by backward Euler. One direct
// solve covers all lengths, bends and twists of a strand. The same source serves one lane or eight,
// CPU or GPU. rod.cpp prepares the data; docs/models/rod.md has the derivation.
//
// The unknowns of a solve are a small rotation of each frame q and a change of each force lambda;
// the vertices follow from lambda. Stretch and shear are constraints, bending and twist are
// energies, contact with bodies changes the inverse mass of vertices (rod_contact.h).
//
// Most functions are templates over K, the stiffness of a joint (Axial3: circular cross sections;
// Sym3: any), and W, the inverse mass of a vertex (F: without bodies; Sym3: some vertex of the
// block may be in contact; Same3: with bodies, but no vertex of the block is in contact).
#pragma once

#include <type_traits>

#include "sim/kernels/limits.h"
#include "sim/models/rod_contact.h"

namespace ringlet {

// Relative stretch beyond which lengths are clamped, and beyond which forces are reset too.
inline constexpr float kRodMaxStretch = 0.01f, kRodResetStretch = 0.2f;

// Relative stretch up to which a strand counts as converged.
inline constexpr float kRodConvergedStretch = 0.001f;

namespace rod {

// Inverse mass and displacement without internal forces of a vertex, in contact or not. `at` is a
// row or a VertexView.
template <class At, class F>
RINGLET_KERNEL void get_mass(const At&, F own, Vec3<F> move, F& w, Vec3<F>& u) {
    w = own;
    u = move;
}
template <class At, class F>
RINGLET_KERNEL void get_mass(const At&, F own, Vec3<F> move, Same3<F>& w, Vec3<F>& u) {
    w = {own};
    u = move;
}
template <class At, class F>
RINGLET_KERNEL void get_mass(const At& at, F own, Vec3<F> move, Sym3<F>& w, Vec3<F>& u) {
    w = isotropic(own);
    u = move;
    if (!any(at.in_contact() > F(0))) return;
    const ContactMass<F> contact_mass = at.contact_mass();
    w = contact_mass.w;
    u = contact_mass.u;
}

// A vertex in the solve: its inverse mass, and its displacement under `pull`, lambda_{i-1} -
// lambda_i. Held vertices have w = 0.
template <class F, class W>
struct Vertex {
    W w;
    Vec3<F> moved;

    template <class At>
    RINGLET_KERNEL Vertex(const RodUniforms& p, const At& at, Vec3<F> pull) {
        const F own = at.w();
        Vec3<F> u;
        get_mass(at, own, free_move(p, at.strand, at.row, at.x(), at.v(), own), w, u);
        moved = u - times(w, pull);
    }
};

// A vertex in the channels of its strand.
template <class F>
struct VertexView {
    const Strand<F>& strand;
    int row;

    RINGLET_KERNEL Vec3<F> x() const { return strand.x[row]; }
    RINGLET_KERNEL Vec3<F> v() const { return strand.v[row]; }
    RINGLET_KERNEL F w() const { return strand.w[row]; }
    RINGLET_KERNEL F in_contact() const { return strand.in_contact[row]; }
    RINGLET_KERNEL ContactMass<F> contact_mass() const { return strand.contact_mass[row]; }
};

template <class F>
RINGLET_KERNEL Quat<F> rotated_freely(const RodUniforms& p, Quat<F> q_start, Vec3<F> omega) {
    return renormalise(exp_map(omega * F(p.h * p.spin_decay), F(3)) * q_start);
}

// A segment with the vertex and the joint at its root end, as both passes of a solve read it.
template <class F, class W>
struct SolveRow : RowView<Strand<F>> {
    static constexpr bool kMayTouch = std::is_same_v<W, Sym3<F>>;
    enum { kX, kV = 3, kLambda = 6, kStart = 9, kW = 13, kBend, kLength, kInContact, kContactMass };
    enum {
        kOwn = kMayTouch ? kContactMass + kRodContactMassScratch : kInContact
    };  // first float that belongs to one pass only

    template <class Visit>
    RINGLET_KERNEL static void visit(const Strand<F>& s, const Visit& visit) {
        visit(s.x, kX);
        visit(s.v, kV);
        visit(s.lambda, kLambda);
        visit(s.q_start, kStart);
        visit(s.w, kW);
        visit(s.bend, kBend);
        visit(s.length, kLength);
        if constexpr (kMayTouch) visit(s.in_contact, kInContact);
    }
    RINGLET_KERNEL static bool has_more(const Strand<F>& s, int row) requires kMayTouch {
        return any(s.in_contact[row] > F(0));
    }
    template <class Visit>
    RINGLET_KERNEL static void visit_more(const Strand<F>& s, const Visit& visit) {
        visit(s.contact_mass, kContactMass);
    }
    RINGLET_KERNEL Vec3<F> x() const { return this->get(this->strand.x, kX); }
    RINGLET_KERNEL Vec3<F> v() const { return this->get(this->strand.v, kV); }
    RINGLET_KERNEL Vec3<F> lambda() const { return this->get(this->strand.lambda, kLambda); }
    RINGLET_KERNEL Quat<F> q_start() const { return this->get(this->strand.q_start, kStart); }
    RINGLET_KERNEL F w() const { return this->get(this->strand.w, kW); }
    RINGLET_KERNEL F bend() const { return this->get(this->strand.bend, kBend); }
    RINGLET_KERNEL F length() const { return this->get(this->strand.length, kLength); }
    RINGLET_KERNEL F in_contact() const { return this->get(this->strand.in_contact, kInContact); }
    RINGLET_KERNEL ContactMass<F> contact_mass() const {
        return this->get(this->strand.contact_mass, kContactMass);
    }
};

// A row of the pass from root to tip. The first solve of a substep starts from the torque-free
// frames, the others from the current ones. A GPU recomputes the torque-free frames in each solve,
// which is faster than loading them.
template <class F, bool kFirst, class W>
struct ForwardRow : SolveRow<F, W> {
    using Common = SolveRow<F, W>;
    enum { kRestRotation = Common::kOwn, kOmega = kRestRotation + 4, kInertia = kOmega + 3, kQ };
    enum { kFloats = kFirst ? kQ : kQ + 4 };

    template <class Visit>
    RINGLET_KERNEL static void visit(const Strand<F>& s, const Visit& visit) {
        Common::visit(s, visit);
        visit(s.rest_rotation, kRestRotation);
        visit(s.omega, kOmega);
        visit(s.inertia, kInertia);
        if constexpr (!kFirst) visit(s.q, kQ);
    }
    RINGLET_KERNEL Quat<F> rest_rotation() const {
        return this->get(this->strand.rest_rotation, kRestRotation);
    }
    RINGLET_KERNEL F inertia() const { return this->get(this->strand.inertia, kInertia); }

    RINGLET_KERNEL void get_frames(const RodUniforms& p, Quat<F>& q, Quat<F>& q_free) const {
        const Strand<F>& s = this->strand;
        if constexpr (kFirst || kOnGpu)
            q_free = rotated_freely(p, this->q_start(), this->get(s.omega, kOmega));
        else
            q_free = s.q_free[this->row];
        if constexpr (kFirst && !kOnGpu) s.q_free.set(this->row, q_free);
        q = q_free;
        if constexpr (!kFirst) q = this->get(s.q, kQ);
    }
};

// A row of the pass from tip to root.
template <class F, bool kFirst, class W>
struct BackwardRow : SolveRow<F, W> {
    using Common = SolveRow<F, W>;
    enum { kFactor = Common::kOwn, kQ = kFactor + 27, kOmega = kQ, kFloats = kQ + 4 };

    template <class Visit>
    RINGLET_KERNEL static void visit(const Strand<F>& s, const Visit& visit) {
        visit(s.factor, kFactor);
        if constexpr (kFirst)
            visit(s.omega, kOmega);
        else
            visit(s.q, kQ);
        Common::visit(s, visit);
    }
    RINGLET_KERNEL EliminatedRow<F> factor() const {
        return this->get(this->strand.factor, kFactor);
    }
    RINGLET_KERNEL Quat<F> q(const RodUniforms& p) const {
        const Strand<F>& s = this->strand;
        if constexpr (!kFirst)
            return this->get(s.q, kQ);
        else if constexpr (kOnGpu)
            return rotated_freely(p, this->q_start(), this->get(s.omega, kOmega));
        else
            return s.q_free[this->row];
    }
};
static_assert(BackwardRow<float, true, Sym3<float>>::kFloats * kStreamSlots ==
              RodBlock::kPrefetchFloats);

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
    if (p.rayleigh_rate > 0) damped += (c - rotate(q, s.strain[i])) * F(p.rayleigh_rate);
    out.torque = conjugate_torque(c, elastic * damped);
    set_stiffness(out.stiffness, p, k * F(1 + p.rayleigh_rate), out.d, out.wide);
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
// angles and w_i for multipliers. The row after the last segment is a joint without stiffness.
template <bool kFirst, class K, class W, class F>
RINGLET_KERNEL void eliminate(const RodUniforms& p, const Strand<F>& s) {
    using Row = ForwardRow<F, kFirst, W>;
    RowStream<Row, Strand<F>> rows(s, 0, 1, s.rows);
    Row at = rows.next();
    Quat<F> q, q_free;
    at.get_frames(p, q, q_free);
    Joint<F, K> here = joint_at<F, K>(p, s, 0, s.head.rotation, q, at.rest_rotation(), at.bend());
    Vertex<F, W> start(p, at, zero_vec3<F>() - at.lambda());
    // A pivot of zeros before the first segment changes nothing.
    PivotInverse<F> pivot{};
    BlockVector<F> side{};
    for (int i = 0; i < s.segments; ++i) {
        const Row next = rows.next();
        Quat<F> q_next, q_free_next;
        next.get_frames(p, q_next, q_free_next);
        const Joint<F, K> after =
            joint_at<F, K>(p, s, i + 1, q, q_next, next.rest_rotation(), next.bend());
        const Vertex<F, W> end(p, next, at.lambda() - next.lambda());
        const Segment<F> segment = {next.x() - at.x(), at.lambda(), q, q_free,
                                    at.length(),       at.inertia()};
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
}

template <class F>
RINGLET_KERNEL auto is_within(Vec3<F> a, F limit) {
    return dot(a, a) < limit * limit;
}

// Writes the state of a vertex and of the frame of its segment at the end of the substep.
// v += (u - h v)/h rather than v = u/h: a vertex without forces keeps its velocity exactly.
// omega = Log(q conj(q_start))/h. Values out of range are reset and reported (limits.h).
template <class F>
struct SubstepEnd {
    const RodUniforms& p;
    const Strand<F>& s;
    F repaired = F(-1);  // lowest repaired row; rows are written from the tip on

    RINGLET_KERNEL void set(int i, Vec3<F> x, Vec3<F> v, F w, Vec3<F> moved, Vec3<F> lambda,
                            Quat<F> q, Quat<F> q_start) {
        const Vec3<F> zero = zero_vec3<F>(), v_free = free_velocity(p, s, v, w);
        const Vec3<F> x_now = x + moved;
        const Vec3<F> v_now = v_free + (moved - v_free * F(p.h)) * F(1 / p.h);
        // A held root follows the head at any speed.
        auto sane = is_within(x_now, F(kMaxCoordinate)) && is_within(lambda, F(1e9f * p.h * p.h));
        if (i > 0 || !p.holds_roots) sane = sane && is_within(v_now, F(kMaxSpeed));
        repaired = select(sane, repaired, F(static_cast<float>(i)));
        s.x_out.set(i, select(sane, x_now, x));
        s.v_out.set(i, select(sane, v_now, zero));
        s.lambda.set(i, select(sane, lambda, zero));
        const auto is_rotation = abs(q.w) <= F(1.01f);
        const Quat<F> q_now = select(sane && is_rotation, q, q_start);
        s.q_out.set(i, q_now);
        s.omega_out.set(i, log_map(q_now * conjugate(q_start)) * F(1 / p.h));
    }
};

// The larger of `most` and the length error (m) of one more segment beyond the tolerance; 0 for a
// segment of zero length.
template <class F>
RINGLET_KERNEL F max_length_error(F most, Vec3<F> apart, F l) {
    const F error = abs(norm(apart) - l) - l * F(kRodConvergedStretch);
    return max(most, select(l > F(kTiny), error, F(0)));
}

// The largest length error (m) under the current forces.
template <class W, class F>
RINGLET_KERNEL F largest_length_error(const RodUniforms& p, const Strand<F>& s) {
    F most = F(0);
    Vec3<F> x_before = zero_vec3<F>(), moved_before = x_before;
    for (int i = 0; i < s.rows; ++i) {
        const Vec3<F> x = s.x[i], moved = Vertex<F, W>(p, VertexView<F>{s, i}, s.pull(i)).moved;
        if (i > 0)
            most = max_length_error(most, (x - x_before) + (moved - moved_before), s.length[i - 1]);
        x_before = x;
        moved_before = moved;
    }
    return most;
}

// Substitutes back from tip to root and applies the rotations and changes of lambda in the wanted
// lanes. A rotation is limited to 1 rad, beyond which its linearisation is meaningless. On a GPU,
// if this may be the last solve, also finishes the substep and returns the largest length error.
template <bool kFirst, class K, class W, class F, class M>
RINGLET_KERNEL F substitute_back(const RodUniforms& p, const Strand<F>& s, bool may_be_last,
                                 M wanted) {
    using Row = BackwardRow<F, kFirst, W>;
    const bool finishes = kOnGpu && may_be_last;
    const bool discards = p.collider_count == 0 && can_discard_rows(s.segments);
    RowStream<Row, Strand<F>> rows(s, s.segments, -1, s.rows);
    Row after = rows.next();
    Vec3<F> lambda_after = after.lambda(), x_end = after.x(), moved_end = zero_vec3<F>();
    Quat<F> q_after = after.q(p), solved_q = q_after;
    if (!finishes) s.q.set(s.segments, q_after);
    BlockVector<F> solved_after = {zero_vec3<F>(), zero_vec3<F>()};
    SubstepEnd<F> end{p, s};
    F error = F(0);
    const auto finish_vertex = [&](int i, Vec3<F> pull) {
        const Vec3<F> x = after.x(), v = after.v();
        const F w = after.w();
        const Vec3<F> moved = Vertex<F, W>(p, after, pull).moved;
        error = max_length_error(error, (x_end - x) + (moved_end - moved), after.length());
        end.set(i, x, v, w, moved, lambda_after, solved_q, after.q_start());
        x_end = x;
        moved_end = moved;
    };
    for (int i = s.segments - 1; i >= 0; --i) {
        const Row row = rows.next();
        const EliminatedRow<F> factor = row.factor();
        K stiffness;
        set_stiffness(stiffness, p, after.bend() * F(p.h * p.h * (1 + p.rayleigh_rate)),
                      tangent_of(q_after), normal_of(q_after));
        W w;
        Vec3<F> unused;
        get_mass(after, after.w(), zero_vec3<F>(), w, unused);
        const BlockVector<F> more =
            factor.pivot *
            BlockVector<F>{stiffness * solved_after.angle, -times(w, solved_after.multiplier)};
        const BlockVector<F> solved = {factor.side.angle + more.angle,
                                       factor.side.multiplier + more.multiplier};
        const Vec3<F> lambda = row.lambda();
        const Vec3<F> solved_lambda = select(wanted, lambda + solved.multiplier, lambda);
        if (finishes) finish_vertex(i + 1, solved_lambda - lambda_after);
        q_after = row.q(p);
        solved_q = select(wanted, renormalise(exp_map(solved.angle, F(1)) * q_after), q_after);
        if (!finishes) {
            s.lambda.set(i, solved_lambda);
            s.q.set(i, solved_q);
        }
        lambda_after = solved_lambda;
        solved_after = solved;
        after.move_to(row);
        if (discards) discard_row(s.factor, i);
    }
    if (finishes) {
        finish_vertex(0, zero_vec3<F>() - lambda_after);
        s.repaired.set(0, max(s.repaired[0], end.repaired));
    }
    return error;
}

template <bool kFirst, class K, class W, class F, class M>
RINGLET_OUTLINED F newton_step(const RodUniforms& p, const Strand<F>& s, bool may_be_last,
                               M wanted) {
    eliminate<kFirst, K, W>(p, s);
    const F error = substitute_back<kFirst, K, W>(p, s, may_be_last, wanted);
    return !kOnGpu && may_be_last ? largest_length_error<W>(p, s) : error;
}
// The n-th step. Returns the largest length error if another step may be needed.
template <class K, class W, class F, class M>
RINGLET_KERNEL F newton_step(const RodUniforms& p, const Strand<F>& s, int n, M wanted) {
    const bool may_be_last = n + 1 >= p.solves;
    return n == 0 ? newton_step<true, K, W>(p, s, may_be_last, wanted)
                  : newton_step<false, K, W>(p, s, may_be_last, wanted);
}

// New contacts or sudden motion may need more than `solves` Newton steps; strands that have not
// converged get up to `extra_solves` further steps. Returns the lanes that continue after the n-th.
template <class F, class M>
RINGLET_KERNEL M find_unconverged(const RodUniforms& p, int n, M unconverged, F error) {
    const bool checks =
        n + 1 == p.solves || (n + 1 > p.solves && n + 1 < p.solves + p.extra_solves);
    return checks ? unconverged && (error > F(0)) : unconverged;
}

// Returns whether any strand may not have converged.
template <class K, class W, class F>
RINGLET_KERNEL bool solve(const RodUniforms& p, const Strand<F>& s) {
    auto unconverged = F(0) < F(1);
    for (int n = 0; n < p.solves + p.extra_solves && any(unconverged); ++n)
        unconverged = find_unconverged(p, n, unconverged, newton_step<K, W>(p, s, n, unconverged));
    return any(unconverged);
}

// The same with bodies. Contacts are found before each of the first `solves` steps; the other steps
// reuse their planes. Sets `touches` if some vertex may be in contact.
template <class K, class F>
RINGLET_KERNEL bool solve_with_bodies(const RodUniforms& p, const Strand<F>& s, bool& touches) {
    auto unconverged = F(0) < F(1);
    for (int n = 0; n < p.solves + p.extra_solves && any(unconverged); ++n) {
        if (n < p.solves) touches = find_contacts(p, s, n);
        const F error = touches ? newton_step<K, Sym3<F>>(p, s, n, unconverged)
                                : newton_step<K, Same3<F>>(p, s, n, unconverged);
        unconverged = find_unconverged(p, n, unconverged, error);
    }
    return any(unconverged);
}

// Restores the lengths from root to tip and rotates the frames accordingly.
template <class F, class M>
RINGLET_KERNEL void clamp_lengths(const Strand<F>& s, M clamped) {
    for (int i = 0; i < s.segments; ++i) {
        const F l = s.length[i];
        const auto active = clamped && (l >= F(0));
        const Quat<F> q = s.q[i];
        const Vec3<F> d = tangent_of(q), apart = s.x[i + 1] - s.x[i];
        const Vec3<F> e = apart + s.u[i + 1] - s.u[i];
        const Vec3<F> along = unit_or(e, d);
        s.u.set(i + 1, select(active, s.u[i] + (along * l - apart), s.u[i + 1]));
        s.q.set(i, select(active, renormalise(quat_between(d, along) * q), q));
    }
}

// The larger of `most` and the relative stretch of one more segment; 0 for zero length.
template <class F>
RINGLET_KERNEL F max_stretch(F most, Vec3<F> apart, F l) {
    return max(most, select(l > F(kTiny), abs(norm(apart) - l) / max(l, F(kTiny)), F(0)));
}

// Strain limiting for strands that have not converged, for instance after a jump of the root.
// Resets the forces of strands stretched beyond kRodResetStretch. Returns whether it acted; s.u
// then holds the displacements.
template <class W, class F>
RINGLET_OUTLINED bool limit_strain(const RodUniforms& p, const Strand<F>& s) {
    for (int i = 0; i < s.rows; ++i)
        s.u.set(i, Vertex<F, W>(p, VertexView<F>{s, i}, s.pull(i)).moved);
    F stretch = F(0);
    for (int i = 0; i < s.segments; ++i)
        stretch = max_stretch(stretch, (s.x[i + 1] - s.x[i]) + (s.u[i + 1] - s.u[i]), s.length[i]);
    const auto limited = stretch > F(kRodMaxStretch);
    if (!any(limited)) return false;
    if (s.strain_limited.at) s.strain_limited.set(0, select(limited, F(1), s.strain_limited[0]));
    clamp_lengths(s, limited);
    const auto resets = stretch > F(kRodResetStretch);
    for (int i = 0; i < s.segments; ++i)
        s.lambda.set(i, select(resets, zero_vec3<F>(), s.lambda[i]));
    return true;
}

// Finishes the substep unless the last solve has done it and strain limiting did not act.
template <class W, class F>
RINGLET_OUTLINED void finish_strand(const RodUniforms& p, const Strand<F>& s, bool is_unconverged) {
    const bool is_limited = is_unconverged && limit_strain<W>(p, s);
    if (kOnGpu && !is_limited) return;
    SubstepEnd<F> end{p, s};
    for (int i = s.segments; i >= 0; --i) {
        const Vec3<F> x = s.x[i], v = s.v[i];
        const F w = s.w[i];
        const Vec3<F> moved =
            is_limited ? s.u[i] : Vertex<F, W>(p, VertexView<F>{s, i}, s.pull(i)).moved;
        end.set(i, x, v, w, moved, s.lambda[i], s.q[i], s.q_start[i]);
    }
    s.repaired.set(0, max(s.repaired[0], end.repaired));
}

// Stores the strain for the damping of the next substep.
template <class F>
RINGLET_KERNEL void store_strain(const Strand<F>& s) {
    Quat<F> before = s.head.rotation;
    for (int i = 0; i < s.segments; ++i) {
        const Quat<F> q = s.q_out[i];
        s.strain.set(i, rotate(conjugate(q), log_map(q * conjugate(before * s.rest_rotation[i]))));
        before = q;
    }
}

template <class K, class F>
RINGLET_KERNEL void move_with_bodies(const RodUniforms& p, const Strand<F>& s) {
    bool touches = false;
    const bool is_unconverged = solve_with_bodies<K>(p, s, touches);
    if (touches)
        finish_strand<Sym3<F>>(p, s, is_unconverged);
    else
        finish_strand<Same3<F>>(p, s, is_unconverged);
    if (p.collider_count > 0) finish_contacts(p, s, touches);
}

}  // namespace rod

struct RodKernel : KernelDefaults {
    using Uniforms = RodUniforms;
    using Block = RodBlock;
    static constexpr int kScratch = RodBlock::kScratch;
    static constexpr int kPrefetchFloats = RodBlock::kPrefetchFloats;

    // Finds the vertices that may touch a collider before the strands are solved.
    static constexpr bool kHasRowPass = true;
    static bool needs_row_pass(const RodUniforms& p) { return p.collider_count > 0; }
    template <class F>
    RINGLET_KERNEL static void row_pass(const RodUniforms& p, const RodBlock& block, int first,
                                        int end) {
        rod::detect_contacts(p, rod::Strand<F>(p, block), 0, first, end);
    }

    static constexpr int kVariants = RodUniforms::kKinds;
    static int variant_of(const RodUniforms& p) { return p.kind; }
    RINGLET_KERNEL static void fix_variant(RodUniforms& p, int variant) {
        p.kind = variant;
        if (variant == RodUniforms::without_bodies) p.collider_count = 0;
    }

    template <class F>
    RINGLET_KERNEL static void substep(const RodUniforms& p, const RodBlock& block) {
        const rod::Strand<F> s(p, block);
        if (p.kind == RodUniforms::without_bodies)
            rod::finish_strand<F>(p, s, rod::solve<Axial3<F>, F>(p, s));
        else if (p.kind == RodUniforms::with_bodies)
            rod::move_with_bodies<Axial3<F>>(p, s);
        else
            rod::move_with_bodies<Sym3<F>>(p, s);
        if (p.rayleigh_rate > 0) rod::store_strain(s);
    }
};

}  // namespace ringlet
