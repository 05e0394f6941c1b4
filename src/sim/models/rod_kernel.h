// The inextensible Kirchhoff rod: one substep of the strands of a block by backward Euler, all
// lengths, bends and twists of a strand in one direct solve. The same text for one lane or eight,
// CPU or GPU. rod.cpp prepares what it works on; docs/models/rod.md has the derivation.
//
// State: vertices x, v; per segment a frame q (its third axis d is the segment's direction), its
// angular velocity omega, and the force lambda it carries, kept from substep to substep.
// Unknowns of a solve are a small turn of each q and a change of each lambda; vertices follow from
// lambda. Stretch and shear are constraints, bend and twist are energies.
//
// Units: masses are relative to the strand's mean vertex mass M, and inside a substep forces are
// multiplied by h^2/M (metres), torques and joint stiffness by h^2/M (m^2). At hair's scale
// (EI 8e-9 N m^2, M 6e-8 kg) that keeps every block within a few powers of ten of l^2 or 1, far
// from the ends of float, for any mass and stiffness with the same ratio.
//
// Contact is not inside the solve yet: vertices are projected out of bodies after it.
#pragma once

#include "collide/collider.h"
#include "sim/kernels/block_solve.h"
#include "sim/kernels/rotation_maps.h"
#include "strand/rows.h"

namespace ringlet {

// What is the same for every strand in a substep.
struct RodUniforms {
    float h;     // s, length of the substep
    int solves;  // Newton steps in it
    Vec3f gravity, force, wind;
    float wind_decay;     // e^{-c h}: what is left of the velocity relative to the wind
    float twist_ratio;    // GJ / EI
    float rayleigh_rate;  // beta / h: damping of the joints in units of their stiffness
    bool holds_roots;     // vertex 0 follows the head
    Rigidf head;          // pose at the end of the substep
    float gap;            // m, kept to bodies where the block has no gaps of its own
    const PlacedCollider* colliders;
    int collider_count;
};

// Numbers the solve leaves per segment for its way back: the inverse pivot, the eliminated right
// side, the direction d.
inline constexpr int kRodScratch = 30;

// Relative stretch beyond which lengths are clamped, and beyond which forces are forgotten too.
inline constexpr float kRodGuardStretch = 0.02f, kRodLostStretch = 0.2f;

// The channels of one block, from vertex 0 and the first lane concerned. Row i of a segment's
// channel belongs to the segment from vertex i to i + 1, or to the joint at its root end.
struct RodBlock {
    int rows;
    float* x;              // m
    float* v;              // m/s
    float* u;              // m, displacement in this substep: first as without internal forces
    float* q;              // frames of the segments
    float* q_start;        // ... at the start of the substep
    float* q_free;         // ... as they would turn without torque
    float* omega;          // rad/s
    float* lambda;         // m/s^2, force in the segment over M; 0 beyond the last segment
    float* strain;         // rad, rotation vector of the joint in its segment's frame, for damping
    const float* w;        // M over the vertex's mass; 0 where held and for padding
    const float* length;   // m, to the next vertex; -1 where there is none
    const float* bend;     // m^2/s^2, EI / (M l) of the joint; 0 where there is none
    const float* inertia;  // m^2, of the segment over M
    const float* turn;     // rest rotation from the frame before; row 0: from the head's frame
    const float* gap;      // m, kept to bodies
    const float* root;     // m, one row: place of vertex 0 in the head's own frame
    const float* per_kg;   // 1/kg, one row: 1/M
    float* scratch;
    float* repaired;  // one row: first vertex whose numbers had to be repaired, or -1
};

// The block seen from its lane-th strand on.
RINGLET_KERNEL RodBlock from_lane(RodBlock block, int lane) {
    float** moving[] = {&block.x,       &block.v,       &block.u,       &block.q,
                        &block.q_start, &block.q_free,  &block.omega,   &block.lambda,
                        &block.strain,  &block.scratch, &block.repaired};
    for (float** at : moving) *at += lane;
    const float** fixed[] = {&block.w,    &block.length, &block.bend, &block.inertia,
                             &block.turn, &block.gap,    &block.root, &block.per_kg};
    for (const float** at : fixed) *at += *at ? lane : 0;
    return block;
}

namespace rod {

template <class F>
struct Strand {
    int rows, segments;  // of the longest strand of the block
    Rows3<F> x, v, u, omega, lambda, strain;
    Rows4<F> q, q_start, q_free;
    ConstRows1<F> w, length, bend, inertia, gap, per_kg;
    ConstRows4<F> turn;
    ConstRows3<F> root;
    float* scratch;
    Rows1<F> repaired;

    RINGLET_KERNEL explicit Strand(const RodBlock& b)
        : rows(b.rows),
          segments(b.rows - 1),
          x{b.x},
          v{b.v},
          u{b.u},
          omega{b.omega},
          lambda{b.lambda},
          strain{b.strain},
          q{b.q},
          q_start{b.q_start},
          q_free{b.q_free},
          w{b.w},
          length{b.length},
          bend{b.bend},
          inertia{b.inertia},
          gap{b.gap},
          per_kg{b.per_kg},
          turn{b.turn},
          root{b.root},
          scratch{b.scratch},
          repaired{b.repaired} {}

    // Where vertex i goes: u_i - w_i (lambda_{i-1} - lambda_i). Held vertices have w = 0.
    RINGLET_KERNEL Vec3<F> moved(int i) const {
        const Vec3<F> before = i > 0 ? lambda[i - 1] : zero_vec3<F>();
        return u[i] - (before - lambda[i]) * w[i];
    }
};

// What the way back of a solve needs of a segment.
template <class F>
struct Eliminated {
    PivotInverse<F> pivot;
    BlockVector<F> side;
    Vec3<F> d;
};

template <class F>
RINGLET_KERNEL void keep(const Strand<F>& s, int i, const PivotInverse<F>& p, BlockVector<F> side,
                         Vec3<F> d) {
    float* at = s.scratch + i * kRodScratch * kLanes;
    const auto set_sym = [at](int k, const Sym3<F>& m) {
        store_vec3(at + k * kLanes, kLanes, Vec3<F>{m.xx, m.xy, m.xz});
        store_vec3(at + (k + 3) * kLanes, kLanes, Vec3<F>{m.yy, m.yz, m.zz});
    };
    set_sym(0, p.a);
    set_sym(6, p.c);
    store_vec3(at + 12 * kLanes, kLanes, p.b.x);
    store_vec3(at + 15 * kLanes, kLanes, p.b.y);
    store_vec3(at + 18 * kLanes, kLanes, p.b.z);
    store_vec3(at + 21 * kLanes, kLanes, side.angle);
    store_vec3(at + 24 * kLanes, kLanes, side.multiplier);
    store_vec3(at + 27 * kLanes, kLanes, d);
}

template <class F>
RINGLET_KERNEL Eliminated<F> kept(const Strand<F>& s, int i) {
    const float* at = s.scratch + i * kRodScratch * kLanes;
    const auto get = [at](int k) { return load<F>(at + k * kLanes); };
    const auto vec = [get](int k) { return Vec3<F>{get(k), get(k + 1), get(k + 2)}; };
    return {{{get(0), get(1), get(2), get(3), get(4), get(5)},
             {vec(12), vec(15), vec(18)},
             {get(6), get(7), get(8), get(9), get(10), get(11)}},
            {vec(21), vec(24)},
            vec(27)};
}

// The joint at the root end of a segment, and the segment's frame.
template <class F>
struct Joint {
    Quat<F> q;
    Vec3<F> d, torque;
    Axial3<F> stiffness;  // K (1 + beta/h)
};

// c = Log(q_i conj(q_{i-1} turn_i)), K = (EI/l)(I - d d^T) + (GJ/l) d d^T, and the torque conjugate
// to c of the energy c.Kc/2. Rayleigh damping adds beta K dc/dt, implicitly.
template <class F>
RINGLET_KERNEL Joint<F> joint_at(const RodUniforms& p, const Strand<F>& s, int i, Quat<F> before) {
    const Quat<F> q = s.q[i];
    const Vec3<F> d = tangent_of(q);
    const Vec3<F> c = log_map(q * conjugate(before * s.turn[i]));
    const F k = s.bend[i] * F(p.h * p.h);
    const Axial3<F> elastic = {k, k * F(p.twist_ratio - 1), d};
    Vec3<F> felt = c;
    if (p.rayleigh_rate > 0) felt += (c - rotate(q, s.strain[i])) * F(p.rayleigh_rate);
    const F stiffer = F(1 + p.rayleigh_rate);
    return {q, d, conjugate_torque(c, elastic * felt), {k * stiffer, elastic.e * stiffer, d}};
}

// One segment's rows of the Newton system, before elimination.
template <class F>
struct Rows {
    Sym3<F> a;
    Mat3<F> b;
    F s;
    BlockVector<F> side;
};

// Torque balance g and gap r of segment i, and their derivatives. Padding becomes 1 x = 0.
template <class F>
RINGLET_KERNEL Rows<F> rows_of(const Strand<F>& s, int i, const Joint<F>& here,
                               const Joint<F>& after, Vec3<F> moved, Vec3<F> moved_after) {
    const auto active = s.length[i] >= F(0);
    const F l = max(s.length[i], F(0)), inertia = select(active, s.inertia[i], F(1));
    const Vec3<F> d = here.d, lambda = s.lambda[i], zero = zero_vec3<F>();
    const Vec3<F> g = log_map(here.q * conjugate(s.q_free[i])) * inertia + here.torque -
                      after.torque - cross(d, lambda) * l;
    const Vec3<F> r = (s.x[i + 1] - s.x[i]) + (moved_after - moved) - d * l;
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
            select(active, s.w[i] + s.w[i + 1], F(1)),
            {select(active, -g, zero), select(active, -r, zero)}};
}

// Root to tip: the inverse of each pivot once everything before it is eliminated.
// Off the diagonal stand -K_i for angles and w_i for multipliers. The row after the last segment
// is a joint without stiffness.
template <class F>
RINGLET_KERNEL void eliminate(const RodUniforms& p, const Strand<F>& s) {
    Joint<F> here = joint_at(p, s, 0, splat_rigid<F>(p.head).rotation);
    Vec3<F> moved = s.moved(0);
    // A pivot of zeros before the first segment changes nothing.
    PivotInverse<F> pivot{};
    BlockVector<F> side{};
    for (int i = 0; i < s.segments; ++i) {
        const Joint<F> after = joint_at(p, s, i + 1, here.q);
        const Vec3<F> moved_after = s.moved(i + 1);
        const Rows<F> row = rows_of(s, i, here, after, moved, moved_after);
        // The tip has a mass, but padding beyond it is no segment.
        const F o = select(s.length[i] >= F(0), s.w[i], F(0));
        const Sym3<F> z = {row.s, F(0), F(0), row.s, F(0), row.s};
        const Mat3<F> bk = times(pivot.b, here.stiffness);
        const Mat3<F> b = {row.b.x + bk.x * o, row.b.y + bk.y * o, row.b.z + bk.z * o};
        const BlockVector<F> right = {row.side.angle + here.stiffness * side.angle,
                                      row.side.multiplier - side.multiplier * o};
        pivot = invert_pivot(row.a - sandwich(here.stiffness, pivot.a), b, z - pivot.c * (o * o));
        side = pivot * right;
        keep(s, i, pivot, side, here.d);
        here = after;
        moved = moved_after;
    }
}

// Tip to root: the turns and the changes of lambda, applied at once. A turn is cut at 1 rad, where
// its linearisation means nothing any more.
template <class F>
RINGLET_KERNEL void substitute_back(const RodUniforms& p, const Strand<F>& s) {
    BlockVector<F> after = {zero_vec3<F>(), zero_vec3<F>()};
    Vec3<F> d_after = zero_vec3<F>();
    for (int i = s.segments - 1; i >= 0; --i) {
        const Eliminated<F> here = kept(s, i);
        BlockVector<F> step = here.side;
        if (i + 1 < s.segments) {
            const F k = s.bend[i + 1] * F(p.h * p.h * (1 + p.rayleigh_rate));
            const Axial3<F> stiffness = {k, k * F(p.twist_ratio - 1), d_after};
            const BlockVector<F> more = here.pivot * BlockVector<F>{stiffness * after.angle,
                                                                    -after.multiplier * s.w[i + 1]};
            step = {step.angle + more.angle, step.multiplier + more.multiplier};
        }
        s.q.set(i, renormalise(exp_map(step.angle, F(1)) * s.q[i]));
        s.lambda.set(i, s.lambda[i] + step.multiplier);
        after = step;
        d_after = here.d;
    }
}

// Where vertices and frames go without internal forces. Air takes its share of velocities relative
// to the wind; lambda changes to the units of the solve.
template <class F>
RINGLET_KERNEL void predict(const RodUniforms& p, const Strand<F>& s) {
    const F h = F(p.h), h2 = F(p.h * p.h), decay = F(p.wind_decay);
    const Vec3<F> wind = splat<F>(p.wind), gravity = splat<F>(p.gravity);
    const Vec3<F> force = splat<F>(p.force) * s.per_kg[0];
    for (int i = 0; i < s.rows; ++i) {
        const F w = s.w[i];
        const Vec3<F> v = wind + (s.v[i] - wind) * decay + (gravity + force * w) * h;
        s.v.set(i, select(w > F(0), v, zero_vec3<F>()));
        s.u.set(i, s.v[i] * h);
        s.lambda.set(i, s.lambda[i] * h2);
    }
    if (p.holds_roots) s.u.set(0, apply(splat_rigid<F>(p.head), s.root[0]) - s.x[0]);
    for (int i = 0; i < s.segments; ++i) {
        const Quat<F> q = s.q[i];
        s.q_start.set(i, q);
        s.q_free.set(i, renormalise(exp_map(s.omega[i] * (h * decay), F(3)) * q));
        s.q.set(i, s.q_free[i]);
    }
}

// Moves each vertex out of the body it is deepest in; the tangential move relative to the body
// shrinks by at most mu times that push (Coulomb). True in the lanes that touched something.
template <class F>
RINGLET_KERNEL auto push_out(const RodUniforms& p, const Strand<F>& s) {
    auto touches = F(1) < F(0);
    for (int i = 0; i < s.rows; ++i) {
        const Vec3<F> x = s.x[i];
        Vec3<F> u = s.u[i], normal = zero_vec3<F>(), ride = zero_vec3<F>();
        const F gap = s.gap.at ? s.gap[i] : F(p.gap);
        F depth = gap, friction = F(0);
        for (int k = 0; k < p.collider_count; ++k) {
            const PlacedCollider& body = p.colliders[k];
            const SurfacePoint<F> surface = nearest_surface(body, x + u);
            const auto closer = (surface.distance < depth) && (s.w[i] > F(0));
            depth = select(closer, surface.distance, depth);
            normal = select(closer, surface.normal, normal);
            friction = select(closer, F(body.friction), friction);
            ride = select(closer, apply(splat_rigid<F>(body.carry), x) - x, ride);
        }
        const F push = gap - depth;
        u += normal * push;
        const Vec3<F> slip = (u - ride) - normal * dot(normal, u - ride);
        u -= slip * min(friction * push / max(norm(slip), F(kTiny)), F(1));
        s.u.set(i, u);
        touches = touches || (push > F(0));
    }
    return touches;
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
RINGLET_KERNEL void clamp_lengths(const Strand<F>& s, M touches) {
    for (int i = 0; i < s.segments; ++i) {
        const F l = s.length[i];
        const auto active = touches && (l >= F(0));
        const Quat<F> q = s.q[i];
        const Vec3<F> d = tangent_of(q), apart = s.x[i + 1] - s.x[i];
        const Vec3<F> e = apart + s.u[i + 1] - s.u[i];
        const Vec3<F> along = unit_or(e, d);
        s.u.set(i + 1, select(active, s.u[i] + (along * l - apart), s.u[i + 1]));
        s.q.set(i, select(active, renormalise(quat_between(d, along) * q), q));
    }
}

// After the solve: bodies, and a guard for what the solve could not close, as when the root jumps.
// Forces found on the way to a stretch of more than a fifth mean nothing and are forgotten.
template <class F>
RINGLET_KERNEL void keep_in_bounds(const RodUniforms& p, const Strand<F>& s) {
    const F stretch = largest_stretch(s);
    auto clamped = stretch > F(kRodGuardStretch);
    if (p.collider_count > 0) {
        const auto touches = push_out(p, s);  // not inside ||, which a scalar lane would cut short
        clamped = clamped || touches;
    }
    if (!any(clamped)) return;
    clamp_lengths(s, clamped);
    const auto lost = stretch > F(kRodLostStretch);
    for (int i = 0; i < s.segments; ++i) s.lambda.set(i, select(lost, zero_vec3<F>(), s.lambda[i]));
}

// v += (u - h v)/h rather than v = u/h: a vertex that nothing moved keeps its velocity exactly.
// omega = Log(q conj(q_start))/h; what is not sane is set back and reported.
template <class F>
RINGLET_KERNEL void advance(const RodUniforms& p, const Strand<F>& s) {
    const F h = F(p.h), rate = F(1 / p.h), rate2 = F(1 / (p.h * p.h));
    const F limit = F(1e4f);  // m/s and m; beyond, or not a number, something is broken
    F repaired = F(-1);
    const Vec3<F> zero = zero_vec3<F>();
    Quat<F> before = splat_rigid<F>(p.head).rotation;
    for (int i = 0; i < s.rows; ++i) {
        const Vec3<F> u = s.u[i], x = s.x[i] + u, v = s.v[i] + (u - s.v[i] * h) * rate;
        const Quat<F> q = s.q[i];
        const Vec3<F> lambda = s.lambda[i] * rate2;
        // A held root goes with the head, however fast.
        auto sane = (norm(x) < limit) && (norm(lambda) < F(1e9f));
        if (i > 0 || !p.holds_roots) sane = sane && (norm(v) < limit);
        repaired = select(sane || (repaired >= F(0)), repaired, F(static_cast<float>(i)));
        s.x.set(i, select(sane, x, s.x[i]));
        s.v.set(i, select(sane, v, zero));
        s.lambda.set(i, select(sane, lambda, zero));
        if (i == s.segments) continue;
        const Quat<F> start = s.q_start[i];
        const auto turned_well = abs(q.w) <= F(1.01f);
        const Quat<F> now = select(sane && turned_well, q, start);
        s.q.set(i, now);
        s.omega.set(i, log_map(now * conjugate(start)) * rate);
        if (p.rayleigh_rate > 0)
            s.strain.set(i, rotate(conjugate(now), log_map(now * conjugate(before * s.turn[i]))));
        before = now;
    }
    s.repaired.set(0, max(s.repaired[0], repaired));
}

}  // namespace rod

template <class F>
RINGLET_KERNEL void rod_substep(const RodUniforms& p, const RodBlock& block) {
    const rod::Strand<F> s(block);
    rod::predict(p, s);
    if (s.segments > 0) {
        for (int n = 0; n < p.solves; ++n) {
            rod::eliminate(p, s);
            rod::substitute_back(p, s);
        }
    }
    for (int i = s.rows - 1; i >= 0; --i) s.u.set(i, s.moved(i));
    rod::keep_in_bounds(p, s);
    rod::advance(p, s);
}

// Compiled per lane kind by cpu/blocks.cpp.
void rod_block_scalar(const RodUniforms& uniforms, const RodBlock& block);
void rod_block_wide8(const RodUniforms& uniforms, const RodBlock& block);
void rod_block_avx2(const RodUniforms& uniforms, const RodBlock& block);

}  // namespace ringlet
