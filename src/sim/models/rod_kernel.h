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

#include "sim/models/rod_contact.h"

namespace ringlet {

// Relative stretch beyond which lengths are clamped, and beyond which forces are forgotten too.
inline constexpr float kRodGuardStretch = 0.02f, kRodLostStretch = 0.2f;

// Relative stretch up to which a strand counts as closed, and the Newton steps more that one gets
// which is not.
inline constexpr float kRodOpenStretch = 0.001f;
inline constexpr int kRodMoreSolves = 2;

namespace rod {

template <class F>
RINGLET_KERNEL void get_mass(const Strand<F>& s, int i, F& w, Vec3<F>& u) {
    w = s.w[i];
    u = s.u[i];
}
template <class F>
RINGLET_KERNEL void get_mass(const Strand<F>& s, int i, Same3<F>& w, Vec3<F>& u) {
    w = {s.w[i]};
    u = s.u[i];
}
template <class F>
RINGLET_KERNEL void get_mass(const Strand<F>& s, int i, Sym3<F>& w, Vec3<F>& u) {
    w = contact_mass(s, i);
    u = contact_move(s, i);
}

// A vertex in the solve: its inverse mass, and where it goes, u - w (lambda_{i-1} - lambda_i). Held
// vertices have w = 0.
template <class F, class W>
struct Vertex {
    W w;
    Vec3<F> moved;

    RINGLET_KERNEL Vertex(const Strand<F>& s, int i) {
        Vec3<F> u;
        get_mass(s, i, w, u);
        moved = u - times(w, s.pull(i));
    }
};

// What the way back of a solve needs of a segment.
template <class F>
struct Eliminated {
    PivotInverse<F> pivot;
    BlockVector<F> side;
};

template <class F>
RINGLET_KERNEL void keep(const Strand<F>& s, int i, const PivotInverse<F>& p, BlockVector<F> side) {
    float* at = s.solve_scratch + i * kRodSolveScratch * kRowWidth;
    const auto set_sym = [at](int k, const Sym3<F>& m) {
        store_vec3(at + k * kRowWidth, kRowWidth, Vec3<F>{m.xx, m.xy, m.xz});
        store_vec3(at + (k + 3) * kRowWidth, kRowWidth, Vec3<F>{m.yy, m.yz, m.zz});
    };
    set_sym(0, p.a);
    set_sym(6, p.c);
    store_vec3(at + 12 * kRowWidth, kRowWidth, p.b.x);
    store_vec3(at + 15 * kRowWidth, kRowWidth, p.b.y);
    store_vec3(at + 18 * kRowWidth, kRowWidth, p.b.z);
    store_vec3(at + 21 * kRowWidth, kRowWidth, side.angle);
    store_vec3(at + 24 * kRowWidth, kRowWidth, side.multiplier);
}

template <class F>
RINGLET_KERNEL Eliminated<F> kept(const Strand<F>& s, int i) {
    const float* at = s.solve_scratch + i * kRodSolveScratch * kRowWidth;
    const auto get = [at](int k) { return load<F>(at + k * kRowWidth); };
    const auto vec = [get](int k) { return Vec3<F>{get(k), get(k + 1), get(k + 2)}; };
    return {{{get(0), get(1), get(2), get(3), get(4), get(5)},
             {vec(12), vec(15), vec(18)},
             {get(6), get(7), get(8), get(9), get(10), get(11)}},
            {vec(21), vec(24)}};
}

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

// The joint at the root end of a segment, and the segment's frame.
template <class F, class K>
struct Joint {
    Quat<F> q;
    Vec3<F> d, wide, torque;
    K stiffness;  // K (1 + beta/h)
};

// c = Log(q_i conj(q_{i-1} turn_i)), and the torque conjugate to c of the energy c.Kc/2. Rayleigh
// damping adds beta K dc/dt, implicitly.
template <class F, class K>
RINGLET_KERNEL Joint<F, K> joint_at(const RodUniforms& p, const Strand<F>& s, Rows4<F> frames,
                                    int i, Quat<F> before) {
    Joint<F, K> out;
    out.q = frames[i];
    out.d = tangent_of(out.q);
    out.wide = zero_vec3<F>();
    if constexpr (std::is_same_v<K, Sym3<F>>) out.wide = normal_of(out.q);
    const Vec3<F> c = log_map(out.q * conjugate(before * s.turn[i]));
    const F k = s.bend[i] * F(p.h * p.h);
    K elastic;
    set_stiffness(elastic, p, k, out.d, out.wide);
    Vec3<F> felt = c;
    if (p.rayleigh_rate > 0) felt += (c - rotate(out.q, s.strain[i])) * F(p.rayleigh_rate);
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

// Torque balance g and gap r of segment i, and their derivatives. Padding becomes 1 x = 0.
template <class F, class K, class W>
RINGLET_KERNEL Rows<F> rows_of(const Strand<F>& s, int i, const Joint<F, K>& here,
                               const Joint<F, K>& after, const Vertex<F, W>& start,
                               const Vertex<F, W>& end) {
    const auto active = s.length[i] >= F(0);
    const F l = max(s.length[i], F(0)), inertia = select(active, s.inertia[i], F(1));
    const Vec3<F> d = here.d, lambda = s.lambda[i], zero = zero_vec3<F>();
    const Vec3<F> g = log_map(here.q * conjugate(s.q_free[i])) * inertia + here.torque -
                      after.torque - cross(d, lambda) * l;
    const Vec3<F> r = (s.x[i + 1] - s.x[i]) + (end.moved - start.moved) - d * l;
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
template <class F, class K, class W>
RINGLET_KERNEL void eliminate(const RodUniforms& p, const Strand<F>& s, Rows4<F> frames) {
    Joint<F, K> here = joint_at<F, K>(p, s, frames, 0, s.head.rotation);
    Vertex<F, W> start(s, 0);
    // A pivot of zeros before the first segment changes nothing.
    PivotInverse<F> pivot{};
    BlockVector<F> side{};
    for (int i = 0; i < s.segments; ++i) {
        const Joint<F, K> after = joint_at<F, K>(p, s, frames, i + 1, here.q);
        const Vertex<F, W> end(s, i + 1);
        const Rows<F> row = rows_of(s, i, here, after, start, end);
        // The tip has a mass, but padding beyond it is no segment.
        const W o = select(s.length[i] >= F(0), start.w, start.w * F(0));
        const Mat3<F> coupled = times(o, times(pivot.b, here.stiffness));
        const Mat3<F> b = {row.b.x + coupled.x, row.b.y + coupled.y, row.b.z + coupled.z};
        const BlockVector<F> right = {row.side.angle + here.stiffness * side.angle,
                                      row.side.multiplier - times(o, side.multiplier)};
        pivot = invert_pivot(row.a - sandwich(here.stiffness, pivot.a), b,
                             row.s - sandwich(o, pivot.c));
        side = pivot * right;
        keep(s, i, pivot, side);
        here = after;
        start = end;
    }
}

// Tip to root: the turns and the changes of lambda, applied at once, in the lanes asked for. A turn
// is cut at 1 rad, where its linearisation means nothing any more.
template <class F, class K, class W, class M>
RINGLET_KERNEL void substitute_back(const RodUniforms& p, const Strand<F>& s, Rows4<F> frames,
                                    M wanted) {
    BlockVector<F> after = {zero_vec3<F>(), zero_vec3<F>()};
    Quat<F> q_after = frames[s.segments];
    s.q.set(s.segments, q_after);
    for (int i = s.segments - 1; i >= 0; --i) {
        const Eliminated<F> here = kept(s, i);
        BlockVector<F> step = here.side;
        if (i + 1 < s.segments) {
            K stiffness;
            set_stiffness(stiffness, p, s.bend[i + 1] * F(p.h * p.h * (1 + p.rayleigh_rate)),
                          tangent_of(q_after), normal_of(q_after));
            W w;
            Vec3<F> unused;
            get_mass(s, i + 1, w, unused);
            const BlockVector<F> more =
                here.pivot * BlockVector<F>{stiffness * after.angle, -times(w, after.multiplier)};
            step = {step.angle + more.angle, step.multiplier + more.multiplier};
        }
        const Quat<F> q = frames[i];
        const Vec3<F> lambda = s.lambda[i];
        s.q.set(i, select(wanted, renormalise(exp_map(step.angle, F(1)) * q), q));
        s.lambda.set(i, select(wanted, lambda + step.multiplier, lambda));
        after = step;
        q_after = q;
    }
}

// The largest stretch of a segment that the forces found so far leave, relative.
template <class F, class W>
RINGLET_KERNEL F stretch_left(const Strand<F>& s) {
    F most = F(0);
    Vec3<F> before = Vertex<F, W>(s, 0).moved;
    for (int i = 0; i < s.segments; ++i) {
        const Vec3<F> moved = Vertex<F, W>(s, i + 1).moved;
        const F l = s.length[i], e = norm((s.x[i + 1] - s.x[i]) + (moved - before));
        most = max(most, select(l > F(kTiny), abs(e - l) / max(l, F(kTiny)), F(0)));
        before = moved;
    }
    return most;
}

template <class F, class K, class W, class M>
RINGLET_OUTLINED void newton_step(const RodUniforms& p, const Strand<F>& s, int n, M wanted) {
    const Rows4<F> frames = n == 0 ? s.q_free : s.q;
    eliminate<F, K, W>(p, s, frames);
    substitute_back<F, K, W>(p, s, frames, wanted);
}

// A new contact or a jerk may need more than `solves` Newton steps. Strands that are left open get
// up to kRodMoreSolves of them. Returns whether any of them may still be open.
template <class F, class K, class W>
RINGLET_KERNEL bool solve(const RodUniforms& p, const Strand<F>& s) {
    auto open = F(0) < F(1);
    for (int n = 0; n < p.solves + kRodMoreSolves && s.segments > 0; ++n) {
        if (n >= p.solves) open = open && (stretch_left<F, W>(s) > F(kRodOpenStretch));
        if (!any(open)) break;
        newton_step<F, K, W>(p, s, n, open);
    }
    return any(open) && s.segments > 0;
}

// The same among bodies: contacts are looked for before each of the first `solves` steps, the rest
// go against the planes they have. `touches`: some vertex may touch something; then contact_at
// knows.
template <class F, class K>
RINGLET_KERNEL bool solve_among_bodies(const RodUniforms& p, const Strand<F>& s, bool& touches) {
    auto open = F(0) < F(1);
    touches = s.segments == 0 && find_contacts(p, s, 0);
    for (int n = 0; n < p.solves + kRodMoreSolves && s.segments > 0; ++n) {
        if (n >= p.solves) {
            const F left = touches ? stretch_left<F, Sym3<F>>(s) : stretch_left<F, Same3<F>>(s);
            open = open && (left > F(kRodOpenStretch));
        }
        if (!any(open)) break;
        if (n < p.solves) touches = find_contacts(p, s, n);
        if (touches)
            newton_step<F, K, Sym3<F>>(p, s, n, open);
        else
            newton_step<F, K, Same3<F>>(p, s, n, open);
    }
    return any(open) && s.segments > 0;
}

// What a vertex has when nothing else acts on it.
template <class F>
RINGLET_KERNEL Vec3<F> free_velocity(const RodUniforms& p, const Strand<F>& s, int i) {
    const F w = s.w[i];
    const Vec3<F> force = splat<F>(p.force) * s.per_kg[0];
    const Vec3<F> v = s.v[i] + (splat<F>(p.gravity) + force * w) * F(p.h);
    return select(w > F(0), v, zero_vec3<F>());
}

// Where vertices and frames go without internal forces; lambda changes to the units of the solve.
template <class F>
RINGLET_KERNEL void predict(const RodUniforms& p, const Strand<F>& s) {
    // The row after the last segment has a frame, for its joint, but does not turn.
    for (int i = 0; i < s.rows; ++i) {
        s.u.set(i, free_velocity(p, s, i) * F(p.h));
        s.lambda.set(i, s.lambda[i] * F(p.h * p.h));
        const Vec3<F> turn = s.omega[i] * F(p.h * p.spin_decay);
        s.q_free.set(i, renormalise(exp_map(turn, F(3)) * s.q_start[i]));
    }
    if (p.holds_roots) s.u.set(0, apply(s.head, s.root[0]) - s.x[0]);
    for (int i = 1; i < s.rows && p.holds_tips; ++i) {
        const auto is_tip = abs(s.last[0] - F(static_cast<float>(i))) < F(0.5f);
        s.u.set(i, select(is_tip, apply(s.head, s.tip[0]) - s.x[i], s.u[i]));
    }
}

// The largest stretch of a segment, relative; 0 where a segment has no length.
template <class F>
RINGLET_KERNEL F largest_stretch(const Strand<F>& s) {
    F most = F(0);
    for (int i = 0; i < s.segments; ++i) {
        const F l = s.length[i];
        const F e = norm((s.x[i + 1] - s.x[i]) + (s.u[i + 1] - s.u[i]));
        most = max(most, select(l > F(kTiny), abs(e - l) / max(l, F(kTiny)), F(0)));
    }
    return most;
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

// A guard for what the solve could not close, as when the root jumps. Forces found on the way to a
// stretch of more than a fifth mean nothing and are forgotten.
template <class F, class W>
RINGLET_OUTLINED void keep_in_bounds(const Strand<F>& s) {
    for (int i = s.rows - 1; i >= 0; --i) s.u.set(i, Vertex<F, W>(s, i).moved);
    const F stretch = largest_stretch(s);
    const auto clamped = stretch > F(kRodGuardStretch);
    if (!any(clamped)) return;
    if (s.guarded.at) s.guarded.set(0, select(clamped, F(1), s.guarded[0]));
    clamp_lengths(s, clamped);
    const auto lost = stretch > F(kRodLostStretch);
    for (int i = 0; i < s.segments; ++i) s.lambda.set(i, select(lost, zero_vec3<F>(), s.lambda[i]));
}

// v += (u - h v)/h rather than v = u/h: a vertex that nothing moved keeps its velocity exactly.
// omega = Log(q conj(q_start))/h; what is not sane is set back and reported. Where vertices go
// follows from lambda; where strands may be open, it is bounded first.
template <class F, class W>
RINGLET_OUTLINED void advance(const RodUniforms& p, const Strand<F>& s, bool is_open,
                              bool touches) {
    if (is_open) keep_in_bounds<F, W>(s);
    const F h = F(p.h), rate = F(1 / p.h), rate2 = F(1 / (p.h * p.h));
    const F limit = F(1e4f);  // m/s and m; beyond, or not a number, something is broken
    F repaired = F(-1);
    const Vec3<F> zero = zero_vec3<F>();
    Quat<F> before = s.head.rotation;
    Vec3<F> force_before = zero;
    for (int i = 0; i < s.rows; ++i) {
        W w;
        Vec3<F> u;
        get_mass(s, i, w, u);
        const Vec3<F> force = s.lambda[i];
        u = is_open ? s.u[i] : u - times(w, force_before - force);
        force_before = force;
        const Vec3<F> x = s.x[i] + u, v_free = free_velocity(p, s, i);
        Vec3<F> v = v_free + (u - v_free * h) * rate;
        if (touches) {
            const Contact<F> contact = contact_at(s, i);
            age_contact(p, s, i, contact, x);
            v = bounded_exit(contact, v);
        } else if (p.collider_count > 0) {
            forget_contact(p, s, i, x);
        }
        const Vec3<F> lambda = force * rate2;
        // A held root goes with the head, however fast.
        auto sane = (norm(x) < limit) && (norm(lambda) < F(1e9f));
        if (i > 0 || !p.holds_roots) sane = sane && (norm(v) < limit);
        repaired = select(sane || (repaired >= F(0)), repaired, F(static_cast<float>(i)));
        s.x.set(i, select(sane, x, s.x[i]));
        s.v.set(i, select(sane, v, zero));
        s.lambda.set(i, select(sane, lambda, zero));
        if (i == s.segments) continue;
        const Quat<F> start = s.q_start[i], q = s.q[i];
        const auto turned_well = abs(q.w) <= F(1.01f);
        const Quat<F> now = select(sane && turned_well, q, start);
        s.q_start.set(i, now);
        s.omega.set(i, log_map(now * conjugate(start)) * rate);
        if (p.rayleigh_rate > 0)
            s.strain.set(i, rotate(conjugate(now), log_map(now * conjugate(before * s.turn[i]))));
        before = now;
    }
    s.repaired.set(0, max(s.repaired[0], repaired));
}

template <class F, class K>
RINGLET_KERNEL void solve_and_advance_among_bodies(const RodUniforms& p, const Strand<F>& s) {
    bool touches;
    const bool is_open = solve_among_bodies<F, K>(p, s, touches);
    if (touches)
        advance<F, Sym3<F>>(p, s, is_open, true);
    else
        advance<F, Same3<F>>(p, s, is_open, false);
}

}  // namespace rod

template <class F>
RINGLET_KERNEL void rod_substep(const RodUniforms& p, const RodBlock& block) {
    const rod::Strand<F> s(p, block);
    rod::predict(p, s);
    if (!p.is_round())
        rod::solve_and_advance_among_bodies<F, Sym3<F>>(p, s);
    else if (p.collider_count > 0)
        rod::solve_and_advance_among_bodies<F, Axial3<F>>(p, s);
    else
        rod::advance<F, F>(p, s, rod::solve<F, Axial3<F>, F>(p, s), false);
}

}  // namespace ringlet
