// The inextensible Kirchhoff rod: one substep of the strands of a block by backward Euler, all
// lengths, bends and twists of a strand in one direct solve. The same text for one lane or eight,
// CPU or GPU. rod.cpp prepares what it works on; docs/models/rod.md has the derivation.
//
// Unknowns of a solve are a small turn of each frame q and a change of each force lambda; vertices
// follow from lambda. Stretch and shear are constraints, bend and twist are energies, contact with
// bodies changes the inverse mass of vertices (rod_contact.h).
//
// Most of it is a template over K, the stiffness of a joint (Axial3: round sections; Sym3: any),
// and W, the inverse mass of a vertex (F: free; Sym3: it may touch something; Same3: it may, but
// none of the block does now).
#pragma once

#include <type_traits>

#include "sim/kernels/limits.h"
#include "sim/models/rod_contact.h"

namespace ringlet {

// Relative stretch beyond which lengths are clamped, and beyond which forces are forgotten too.
inline constexpr float kRodGuardStretch = 0.01f, kRodLostStretch = 0.2f;

// Relative stretch up to which a strand counts as closed.
inline constexpr float kRodOpenStretch = 0.001f;

namespace rod {

// Inverse mass and move without internal forces of a vertex, in contact or by itself. `at` is a row
// or a Place, and knows about its contact.
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
    if (!any(at.met() > F(0))) return;
    const Press<F> press = at.press();
    w = press.w;
    u = press.u;
}

// A vertex in the solve: its inverse mass, and where it goes under `pull`, lambda_{i-1} - lambda_i.
// Held vertices have w = 0.
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

// A vertex where it lies.
template <class F>
struct Place {
    const Strand<F>& strand;
    int row;

    RINGLET_KERNEL Vec3<F> x() const { return strand.x[row]; }
    RINGLET_KERNEL Vec3<F> v() const { return strand.v[row]; }
    RINGLET_KERNEL F w() const { return strand.w[row]; }
    RINGLET_KERNEL F met() const { return strand.met[row]; }
    RINGLET_KERNEL Press<F> press() const { return strand.press[row]; }
};

template <class F>
RINGLET_KERNEL Quat<F> turned_freely(const RodUniforms& p, Quat<F> q_start, Vec3<F> omega) {
    return renormalise(exp_map(omega * F(p.h * p.spin_decay), F(3)) * q_start);
}

// What both ways of a solve read of a segment and of the vertex and the joint at its root end.
template <class F, class W>
struct SolveRow : RowView<Strand<F>> {
    static constexpr bool kMayTouch = std::is_same_v<W, Sym3<F>>;
    enum { kX, kV = 3, kLambda = 6, kStart = 9, kW = 13, kBend, kLength, kMet, kPress };
    enum { kOwn = kMayTouch ? kPress + kRodPressScratch : kMet };  // from here on a way's own

    template <class Visit>
    RINGLET_KERNEL static void visit(const Strand<F>& s, const Visit& visit) {
        visit(s.x, kX);
        visit(s.v, kV);
        visit(s.lambda, kLambda);
        visit(s.q_start, kStart);
        visit(s.w, kW);
        visit(s.bend, kBend);
        visit(s.length, kLength);
        if constexpr (kMayTouch) visit(s.met, kMet);
    }
    RINGLET_KERNEL static bool has_more(const Strand<F>& s, int row) requires kMayTouch {
        return any(s.met[row] > F(0));
    }
    template <class Visit>
    RINGLET_KERNEL static void visit_more(const Strand<F>& s, const Visit& visit) {
        visit(s.press, kPress);
    }
    RINGLET_KERNEL Vec3<F> x() const { return this->get(this->strand.x, kX); }
    RINGLET_KERNEL Vec3<F> v() const { return this->get(this->strand.v, kV); }
    RINGLET_KERNEL Vec3<F> lambda() const { return this->get(this->strand.lambda, kLambda); }
    RINGLET_KERNEL Quat<F> q_start() const { return this->get(this->strand.q_start, kStart); }
    RINGLET_KERNEL F w() const { return this->get(this->strand.w, kW); }
    RINGLET_KERNEL F bend() const { return this->get(this->strand.bend, kBend); }
    RINGLET_KERNEL F length() const { return this->get(this->strand.length, kLength); }
    RINGLET_KERNEL F met() const { return this->get(this->strand.met, kMet); }
    RINGLET_KERNEL Press<F> press() const { return this->get(this->strand.press, kPress); }
};

// The way from root to tip. In the first solve of a substep frames are turned by themselves, in
// others as solved so far. A GPU turns them anew each time: memory is further away.
template <class F, bool kFirst, class W>
struct DownRow : SolveRow<F, W> {
    using Common = SolveRow<F, W>;
    enum { kTurn = Common::kOwn, kOmega = kTurn + 4, kInertia = kOmega + 3, kQ };
    enum { kFloats = kFirst ? kQ : kQ + 4 };

    template <class Visit>
    RINGLET_KERNEL static void visit(const Strand<F>& s, const Visit& visit) {
        Common::visit(s, visit);
        visit(s.turn, kTurn);
        visit(s.omega, kOmega);
        visit(s.inertia, kInertia);
        if constexpr (!kFirst) visit(s.q, kQ);
    }
    RINGLET_KERNEL Quat<F> turn() const { return this->get(this->strand.turn, kTurn); }
    RINGLET_KERNEL F inertia() const { return this->get(this->strand.inertia, kInertia); }

    RINGLET_KERNEL void get_frames(const RodUniforms& p, Quat<F>& q, Quat<F>& q_free) const {
        const Strand<F>& s = this->strand;
        if constexpr (kFirst || kOnGpu)
            q_free = turned_freely(p, this->q_start(), this->get(s.omega, kOmega));
        else
            q_free = s.q_free[this->row];
        if constexpr (kFirst && !kOnGpu) s.q_free.set(this->row, q_free);
        q = q_free;
        if constexpr (!kFirst) q = this->get(s.q, kQ);
    }
};

// The way back.
template <class F, bool kFirst, class W>
struct UpRow : SolveRow<F, W> {
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
    RINGLET_KERNEL Eliminated<F> factor() const { return this->get(this->strand.factor, kFactor); }
    RINGLET_KERNEL Quat<F> q(const RodUniforms& p) const {
        const Strand<F>& s = this->strand;
        if constexpr (!kFirst)
            return this->get(s.q, kQ);
        else if constexpr (kOnGpu)
            return turned_freely(p, this->q_start(), this->get(s.omega, kOmega));
        else
            return s.q_free[this->row];
    }
};
static_assert(UpRow<float, true, Sym3<float>>::kFloats * kStreamSlots == RodBlock::kPrefetchFloats);

// Stiffness of a joint whose segment points along d, its section's wide axis along `wide`.
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

// c = Log(q_i conj(q_{i-1} turn_i)), and the torque conjugate to c of the energy c.Kc/2. Rayleigh
// damping adds beta K dc/dt, implicitly.
template <class F, class K>
RINGLET_KERNEL Joint<F, K> joint_at(const RodUniforms& p, const Strand<F>& s, int i, Quat<F> before,
                                    Quat<F> q, Quat<F> turn, F bend) {
    Joint<F, K> out;
    out.d = tangent_of(q);
    out.wide = zero_vec3<F>();
    if constexpr (std::is_same_v<K, Sym3<F>>) out.wide = normal_of(q);
    const Vec3<F> c = log_map(q * conjugate(before * turn));
    const F k = bend * F(p.h * p.h);
    K elastic;
    set_stiffness(elastic, p, k, out.d, out.wide);
    Vec3<F> felt = c;
    if (p.rayleigh_rate > 0) felt += (c - rotate(q, s.strain[i])) * F(p.rayleigh_rate);
    out.torque = conjugate_torque(c, elastic * felt);
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

// A segment as its rows need it.
template <class F>
struct Segment {
    Vec3<F> apart;  // from start to end, at the start of the substep
    Vec3<F> lambda;
    Quat<F> q, q_free;
    F length, inertia;
};

// Torque balance g and gap r of a segment, and their derivatives. Padding becomes 1 x = 0.
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
    // d^T)), is indefinite; this majorises it. Without it steps overshoot into limit cycles.
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

// Root to tip: the inverse of each pivot once everything before it is eliminated.
// Off the diagonal stand -K_i for angles and w_i for multipliers. The row after the last segment
// is a joint without stiffness.
template <bool kFirst, class K, class W, class F>
RINGLET_KERNEL void eliminate(const RodUniforms& p, const Strand<F>& s) {
    using Row = DownRow<F, kFirst, W>;
    RowStream<Row, Strand<F>> rows(s, 0, 1, s.rows);
    Row at = rows.next();
    Quat<F> q, q_free;
    at.get_frames(p, q, q_free);
    Joint<F, K> here = joint_at<F, K>(p, s, 0, s.head.rotation, q, at.turn(), at.bend());
    Vertex<F, W> start(p, at, zero_vec3<F>() - at.lambda());
    // A pivot of zeros before the first segment changes nothing.
    PivotInverse<F> pivot{};
    BlockVector<F> side{};
    for (int i = 0; i < s.segments; ++i) {
        const Row next = rows.next();
        Quat<F> q_next, q_free_next;
        next.get_frames(p, q_next, q_free_next);
        const Joint<F, K> after = joint_at<F, K>(p, s, i + 1, q, q_next, next.turn(), next.bend());
        const Vertex<F, W> end(p, next, at.lambda() - next.lambda());
        const Segment<F> segment = {next.x() - at.x(), at.lambda(), q, q_free,
                                    at.length(),       at.inertia()};
        const Rows<F> row = rows_of(segment, here, after, start, end);
        // The tip has a mass, but padding beyond it is no segment.
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

// Where a substep leaves a vertex and the frame of its segment, from the move and the force found.
// v += (u - h v)/h rather than v = u/h: a vertex that nothing moved keeps its velocity exactly.
// omega = Log(q conj(q_start))/h. What is not sane is set back and reported.
template <class F>
struct Ending {
    const RodUniforms& p;
    const Strand<F>& s;
    F repaired = F(-1);  // lowest row, asked from the tip on

    RINGLET_KERNEL void set(int i, Vec3<F> x, Vec3<F> v, F w, Vec3<F> moved, Vec3<F> lambda,
                            Quat<F> q, Quat<F> q_start) {
        const Vec3<F> zero = zero_vec3<F>(), v_free = free_velocity(p, s, v, w);
        const Vec3<F> x_now = x + moved;
        const Vec3<F> v_now = v_free + (moved - v_free * F(p.h)) * F(1 / p.h);
        // A held root goes with the head, however fast.
        auto sane = is_within(x_now, F(kMaxCoordinate)) && is_within(lambda, F(1e9f * p.h * p.h));
        if (i > 0 || !p.holds_roots) sane = sane && is_within(v_now, F(kMaxSpeed));
        repaired = select(sane, repaired, F(static_cast<float>(i)));
        s.x_out.set(i, select(sane, x_now, x));
        s.v_out.set(i, select(sane, v_now, zero));
        s.lambda.set(i, select(sane, lambda, zero));
        const auto turned_well = abs(q.w) <= F(1.01f);
        const Quat<F> q_now = select(sane && turned_well, q, q_start);
        s.q_out.set(i, q_now);
        s.omega_out.set(i, log_map(q_now * conjugate(q_start)) * F(1 / p.h));
    }
};

// By how much segments are longer or shorter than a closed strand's may be, m: the most so far and
// of one more, whose ends are that far apart. 0 where a segment has no length.
template <class F>
RINGLET_KERNEL F more_open(F most, Vec3<F> apart, F l) {
    const F open = abs(norm(apart) - l) - l * F(kRodOpenStretch);
    return max(most, select(l > F(kTiny), open, F(0)));
}

// How open the forces found so far leave the strand.
template <class W, class F>
RINGLET_KERNEL F how_open(const RodUniforms& p, const Strand<F>& s) {
    F most = F(0);
    Vec3<F> x_before = zero_vec3<F>(), moved_before = x_before;
    for (int i = 0; i < s.rows; ++i) {
        const Vec3<F> x = s.x[i], moved = Vertex<F, W>(p, Place<F>{s, i}, s.pull(i)).moved;
        if (i > 0) most = more_open(most, (x - x_before) + (moved - moved_before), s.length[i - 1]);
        x_before = x;
        moved_before = moved;
    }
    return most;
}

// Tip to root: turns and changes of lambda, applied at once, in the lanes asked for. A turn is cut
// at 1 rad, where its linearisation means nothing any more. On a GPU,
// where it may be the last solve, also where that leaves the strand; then it returns how open.
template <bool kFirst, class K, class W, class F, class M>
RINGLET_KERNEL F substitute_back(const RodUniforms& p, const Strand<F>& s, bool may_be_last,
                                 M wanted) {
    using Row = UpRow<F, kFirst, W>;
    const bool ends = kOnGpu && may_be_last;
    const bool discards = p.collider_count == 0 && can_discard_rows(s.segments);
    RowStream<Row, Strand<F>> rows(s, s.segments, -1, s.rows);
    Row after = rows.next();
    Vec3<F> lambda_after = after.lambda(), x_end = after.x(), moved_end = zero_vec3<F>();
    Quat<F> q_after = after.q(p), solved_q = q_after;
    if (!ends) s.q.set(s.segments, q_after);
    BlockVector<F> solved_after = {zero_vec3<F>(), zero_vec3<F>()};
    Ending<F> ending{p, s};
    F open = F(0);
    const auto leave = [&](int i, Vec3<F> pull) {
        const Vec3<F> x = after.x(), v = after.v();
        const F w = after.w();
        const Vec3<F> moved = Vertex<F, W>(p, after, pull).moved;
        open = more_open(open, (x_end - x) + (moved_end - moved), after.length());
        ending.set(i, x, v, w, moved, lambda_after, solved_q, after.q_start());
        x_end = x;
        moved_end = moved;
    };
    for (int i = s.segments - 1; i >= 0; --i) {
        const Row row = rows.next();
        const Eliminated<F> factor = row.factor();
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
        if (ends) leave(i + 1, solved_lambda - lambda_after);
        q_after = row.q(p);
        solved_q = select(wanted, renormalise(exp_map(solved.angle, F(1)) * q_after), q_after);
        if (!ends) {
            s.lambda.set(i, solved_lambda);
            s.q.set(i, solved_q);
        }
        lambda_after = solved_lambda;
        solved_after = solved;
        after.move_to(row);
        if (discards) discard_row(s.factor, i);
    }
    if (ends) {
        leave(0, zero_vec3<F>() - lambda_after);
        s.repaired.set(0, max(s.repaired[0], ending.repaired));
    }
    return open;
}

template <bool kFirst, class K, class W, class F, class M>
RINGLET_OUTLINED F newton_step(const RodUniforms& p, const Strand<F>& s, bool may_be_last,
                               M wanted) {
    eliminate<kFirst, K, W>(p, s);
    const F open = substitute_back<kFirst, K, W>(p, s, may_be_last, wanted);
    return !kOnGpu && may_be_last ? how_open<W>(p, s) : open;
}
// The n-th; returns how open it leaves the strand where another one may be needed.
template <class K, class W, class F, class M>
RINGLET_KERNEL F newton_step(const RodUniforms& p, const Strand<F>& s, int n, M wanted) {
    const bool may_be_last = n + 1 >= p.solves;
    return n == 0 ? newton_step<true, K, W>(p, s, may_be_last, wanted)
                  : newton_step<false, K, W>(p, s, may_be_last, wanted);
}

// A new contact or a jerk may need more than `solves` Newton steps. Strands that are left open get
// up to `more_solves` of them. After the n-th: those that are to go on, or may be open at the end.
template <class F, class M>
RINGLET_KERNEL M still_open(const RodUniforms& p, int n, M open, F by) {
    const bool asks = n + 1 == p.solves || (n + 1 > p.solves && n + 1 < p.solves + p.more_solves);
    return asks ? open && (by > F(0)) : open;
}

// Returns whether any strand may still be open.
template <class K, class W, class F>
RINGLET_KERNEL bool solve(const RodUniforms& p, const Strand<F>& s) {
    auto open = F(0) < F(1);
    for (int n = 0; n < p.solves + p.more_solves && any(open); ++n)
        open = still_open(p, n, open, newton_step<K, W>(p, s, n, open));
    return any(open);
}

// The same among bodies: contacts are looked for before each of the first `solves` steps, the rest
// go against the planes they have. `touches`: some vertex may touch something; then contact_at
// knows.
template <class K, class F>
RINGLET_KERNEL bool solve_among_bodies(const RodUniforms& p, const Strand<F>& s, bool& touches) {
    auto open = F(0) < F(1);
    for (int n = 0; n < p.solves + p.more_solves && any(open); ++n) {
        if (n < p.solves) touches = find_contacts(p, s, n);
        const F by = touches ? newton_step<K, Sym3<F>>(p, s, n, open)
                             : newton_step<K, Same3<F>>(p, s, n, open);
        open = still_open(p, n, open, by);
    }
    return any(open);
}

// Root to tip, lengths back to what they were, and frames turned along.
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

// The largest stretch of a segment, relative; 0 where a segment has no length.
template <class F>
RINGLET_KERNEL F more_stretch(F most, Vec3<F> apart, F l) {
    return max(most, select(l > F(kTiny), abs(norm(apart) - l) / max(l, F(kTiny)), F(0)));
}

// A guard for what the solve could not close, as when the root jumps. Forces found on the way to a
// stretch of more than a fifth mean nothing and are forgotten. Returns whether it had to act; s.u
// is where vertices go then.
template <class W, class F>
RINGLET_OUTLINED bool keep_in_bounds(const RodUniforms& p, const Strand<F>& s) {
    for (int i = 0; i < s.rows; ++i) s.u.set(i, Vertex<F, W>(p, Place<F>{s, i}, s.pull(i)).moved);
    F stretch = F(0);
    for (int i = 0; i < s.segments; ++i)
        stretch = more_stretch(stretch, (s.x[i + 1] - s.x[i]) + (s.u[i + 1] - s.u[i]), s.length[i]);
    const auto clamped = stretch > F(kRodGuardStretch);
    if (!any(clamped)) return false;
    if (s.strain_limited.at) s.strain_limited.set(0, select(clamped, F(1), s.strain_limited[0]));
    clamp_lengths(s, clamped);
    const auto lost = stretch > F(kRodLostStretch);
    for (int i = 0; i < s.segments; ++i) s.lambda.set(i, select(lost, zero_vec3<F>(), s.lambda[i]));
    return true;
}

// Ends the substep where no solve has, or the guard had a say after the last.
template <class W, class F>
RINGLET_OUTLINED void end_strand(const RodUniforms& p, const Strand<F>& s, bool is_open) {
    const bool is_bounded = is_open && keep_in_bounds<W>(p, s);
    if (kOnGpu && !is_bounded) return;
    Ending<F> ending{p, s};
    for (int i = s.segments; i >= 0; --i) {
        const Vec3<F> x = s.x[i], v = s.v[i];
        const F w = s.w[i];
        const Vec3<F> moved =
            is_bounded ? s.u[i] : Vertex<F, W>(p, Place<F>{s, i}, s.pull(i)).moved;
        ending.set(i, x, v, w, moved, s.lambda[i], s.q[i], s.q_start[i]);
    }
    s.repaired.set(0, max(s.repaired[0], ending.repaired));
}

// For the damping of the next substep.
template <class F>
RINGLET_KERNEL void keep_strain(const Strand<F>& s) {
    Quat<F> before = s.head.rotation;
    for (int i = 0; i < s.segments; ++i) {
        const Quat<F> q = s.q_out[i];
        s.strain.set(i, rotate(conjugate(q), log_map(q * conjugate(before * s.turn[i]))));
        before = q;
    }
}

template <class K, class F>
RINGLET_KERNEL void move_among_bodies(const RodUniforms& p, const Strand<F>& s) {
    bool touches = false;
    const bool is_open = solve_among_bodies<K>(p, s, touches);
    if (touches)
        end_strand<Sym3<F>>(p, s, is_open);
    else
        end_strand<Same3<F>>(p, s, is_open);
    if (p.collider_count > 0) end_contacts(p, s, touches);
}

}  // namespace rod

// What rows do by themselves before a GPU solves the strands.
template <class F>
RINGLET_KERNEL void rod_rows(const RodUniforms& p, const RodBlock& block, int first, int end) {
    rod::look_for_bodies(p, rod::Strand<F>(p, block), 0, first, end);
}

template <class F>
RINGLET_KERNEL void rod_substep(const RodUniforms& p, const RodBlock& block) {
    const rod::Strand<F> s(p, block);
    if (p.kind == RodUniforms::alone)
        rod::end_strand<F>(p, s, rod::solve<Axial3<F>, F>(p, s));
    else if (p.kind == RodUniforms::among_bodies)
        rod::move_among_bodies<Axial3<F>>(p, s);
    else
        rod::move_among_bodies<Sym3<F>>(p, s);
    if (p.rayleigh_rate > 0) rod::keep_strain(s);
}

}  // namespace ringlet
