// Mass-spring curls (Iben et al. 2013, "Artistic simulation of curly hair"): one substep of the
// strands of a block. The same source serves one lane or eight, CPU or GPU. spring.cpp prepares the
// data; docs/models/spring.md has the equations.
//
// A substep consists of `steps` inner steps: bending and core springs by symplectic Euler, their
// damping and all of stretch implicitly, then positions, then a limit on lengths from root to tip.
// Contact with bodies follows at the end of the substep.
//
// Units: all quantities are divided by the strand's line density, so a mass is in metres of hair, a
// force in m^2/s^2 and a spring constant in m/s^2.
#pragma once

#include "collide/segment_contact.h"
#include "sim/kernel_protocol.h"
#include "sim/kernels/limits.h"
#include "sim/kernels/rebound.h"
#include "sim/kernels/root_pose.h"
#include "sim/kernels/smoothed_curve.h"
#include "strand/rows.h"

namespace ringlet {

// The same for every strand in a substep.
struct SpringUniforms {
    float h;    // s, length of the substep
    int steps;  // inner steps
    Vec3f gravity;
    Vec3f force;          // m^2/s^2, on every vertex
    float stretch_limit;  // relative, both ways
    bool has_core;
    int held;     // number of vertices held by the head: 0, 1 or 2
    Rigidf head;  // pose at the end of the substep
    const PlacedCollider* colliders;
    int collider_count;
    bool has_thin_bodies;  // some collide with segments too (collide/segment_contact.h)
};

// Least length of a smoothed segment, relative to the segment: a curve that folds back on itself
// has smoothed segments of zero length.
inline constexpr float kMinSmoothedLength = 0.2f;

// Fraction of the stretch limit from which on a segment may not stretch faster.
inline constexpr float kNearLimit = 0.9f;

// The constants of a segment. All are 0 after the last segment.
enum SpringConstant {
    kSpringLength,      // m, as groomed
    kSpringRest,        // m, rest length of the stretch spring
    kSpringPerLength,   // 1/m
    kSpringStretch,     // m/s^2, constant of the stretch spring
    kSpringCompliance,  // 1/m, compliance of stretch spring and damper in an inner step
    kSpringBend,        // m/s^2, constant of the bending spring
    kSpringTarget,      // m, three components: rest vector in the frame before the segment
    kSpringBeta = kSpringTarget + 3,  // smoothing weight of the curve that transports frames
    kSpringBendDamping,  // fraction of the velocity across it that half an inner step removes
    kSpringCoreBeta,
    kSpringCoreRest,     // rest length of the core's smoothed segment over the segment's length
    kSpringCore,         // m^3/s^2, stiffness of the core spring times the segment's length
    kSpringCoreDamping,  // m^3/s, damping of the core spring times the segment's length
    kSpringConstants
};

// Rows of SpringBlock::root.
enum SpringRootRow {
    kSpringPosition0,
    kSpringPosition1,
    kSpringTangent,
    kSpringNormal,
    kSpringRootRows
};

// The channels of one block, at vertex 0 and the first lane. Row i of a segment's channel belongs
// to the segment from vertex i to i + 1.
struct SpringBlock {
    int rows;
    float* x;               // m
    float* v;               // m/s
    float* impulse;         // stretch solve: impulse of the last inner step, then the right side
    const float* w;         // 1/m, inverse mass; 0 if held and in padding
    const float* segments;  // kSpringConstants each
    const float* gap;       // m, distance kept to bodies; null without bodies
    float* root;  // m: positions of the first two vertices and the root's frame, in the head's
                  // frame; the frame of a free strand is in the world
    float* root_rotation;  // one row: rotation of the skin at the root at the start of the substep
    const float* pose;     // kPoseRows rows: pose of the skin at the root at the end (root_pose.h)
    float* scratch;        // rows * kScratch
    float* repaired;       // one row: first repaired vertex, or -1

    // Floats per vertex of scratch memory (spring::Strand).
    static constexpr int kScratch = 22;

    template <class Visit>
    RINGLET_KERNEL void visit(const Visit& visit) {
        for (float** channel : {&x, &v}) visit(*channel, 3, Per::row);
        visit(impulse, 1, Per::row);
        visit(w, 1, Per::row);
        visit(segments, kSpringConstants, Per::row);
        visit(gap, 1, Per::row);
        visit(root, kSpringRootRows * 3, Per::block);
        visit(root_rotation, 4, Per::block);
        visit(pose, kPoseRows, Per::block);
        visit(scratch, kScratch, Per::run);
        visit(repaired, 1, Per::block);
    }
};

namespace spring {

// Passes over the segments of a strand that keep them out of thin bodies.
inline constexpr int kHoldSweeps = 3;

template <class F>
struct Strand {
    int rows, segments;  // of the longest strand in the block
    Rows3<F> x, v, root;
    Rows3<F> u;        // m, displacement in this substep
    Rows3<F> pull;     // m^2/s^2, force of a segment's springs on its first vertex
    Rows3<F> core;     // m^3/s^2, force on the smoothed segment times the segment's length
    Rows3<F> along;    // unit vector along the segment
    Rows3<F> moment;   // m^3/s^2, on the frame at the segment
    Rows3<F> tangent;  // of that frame
    Rows1<F> pivot;    // stretch solve: sign of the limit a segment is near, then the inverse pivot
    Rows1<F> per_smoothed;  // length of the segment over that of the smoothed segment
    // Fractions in which an impulse moves the two vertices of a segment; 0 if both are held.
    Rows1<F> share, share_after;
    ConstRows1<F> w, gap;
    const float* constants;
    Rows1<F> impulse, repaired;
    Rows4<F> root_rotation;
    Rigid<F> head;  // pose of the skin at the root at the end of the substep

    RINGLET_KERNEL Strand(const SpringUniforms& p, const SpringBlock& b)
        : rows(b.rows),
          segments(b.rows - 1),
          x{b.x},
          v{b.v},
          root{b.root},
          u{scratch_of(b, 0)},
          pull{scratch_of(b, 3)},
          core{scratch_of(b, 6)},
          along{scratch_of(b, 9)},
          moment{scratch_of(b, 12)},
          tangent{scratch_of(b, 15)},
          pivot{scratch_of(b, 18)},
          per_smoothed{scratch_of(b, 19)},
          share{scratch_of(b, 20)},
          share_after{scratch_of(b, 21)},
          w{b.w},
          gap{b.gap},
          constants(b.segments),
          impulse{b.impulse},
          repaired{b.repaired},
          root_rotation{b.root_rotation},
          head(root_pose<F>(p.head, b.pose)) {}

    // The channel of scratch memory after `before` floats per row.
    RINGLET_KERNEL static float* scratch_of(const SpringBlock& b, int before) {
        return b.scratch + before * b.rows * kRowWidth;
    }

    RINGLET_KERNEL F of(int i, SpringConstant which) const {
        return load<F>(constants + (i * kSpringConstants + which) * kRowWidth);
    }
    RINGLET_KERNEL Vec3<F> target(int i) const {
        return load_vec3<F>(constants + (i * kSpringConstants + kSpringTarget) * kRowWidth,
                            kRowWidth);
    }
    RINGLET_KERNEL Vec3<F> edge(int i) const { return (x[i + 1] - x[i]) + (u[i + 1] - u[i]); }
};

// Interpolates from one rotation (part = 0) to another (part = 1) along the shorter arc.
template <class F>
RINGLET_KERNEL Quat<F> interpolate_rotation(Quat<F> a, Quat<F> b, F part) {
    const F near = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    const F keep = F(1) - part, take = select(near < F(0), -part, part);
    return normalise(Quat<F>{a.x * keep + b.x * take, a.y * keep + b.y * take,
                             a.z * keep + b.z * take, a.w * keep + b.w * take});
}

// Held vertices move straight to their position on the head at the end of the substep.
template <class F>
RINGLET_KERNEL void start(const SpringUniforms& p, const Strand<F>& s) {
    for (int i = 0; i < s.rows; ++i) s.u.set(i, zero_vec3<F>());
    for (int i = 0; i < s.segments; ++i) {
        const F w = s.w[i], after = s.w[i + 1], both = max(w + after, F(kTiny));
        s.share.set(i, w / both);
        s.share_after.set(i, after / both);
    }
    for (int i = 0; i < p.held && i < s.rows; ++i) {
        const Vec3<F> move = apply(s.head, s.root[kSpringPosition0 + i]) - s.x[i];
        const auto exists = i == 0 ? F(0) < F(1) : s.of(0, kSpringPerLength) > F(0);
        s.v.set(i, select(exists, move * F(1 / p.h), zero_vec3<F>()));
    }
}

// The frame at the root, transported to the direction of the first segment. It follows the head;
// that of a free strand is kept between substeps.
template <class F>
RINGLET_KERNEL CurveFrame<F> root_frame(const SpringUniforms& p, const Strand<F>& s,
                                        Quat<F> root_rotation, Vec3<F> along) {
    CurveFrame<F> frame{s.root[kSpringTangent], s.root[kSpringNormal]};
    if (p.held > 0) {
        frame = {rotate(root_rotation, frame.tangent), rotate(root_rotation, frame.normal)};
        frame.travel(along);
        return frame;
    }
    const CurveFrame<F> before = frame;
    frame.travel(along);
    const auto sane = (dot(frame.tangent, frame.tangent) > F(0.5f)) &&
                      (dot(frame.normal, frame.normal) > F(0.5f));  // false for NaN
    frame = {select(sane, frame.tangent, before.tangent),
             select(sane, frame.normal, before.normal)};
    s.root.set(kSpringTangent, frame.tangent);
    s.root.set(kSpringNormal, frame.normal);
    return frame;
}

// Computes the forces of stretch and bending, k_s (|e| - l) e^ + k_b (e - t), on the first vertex
// of each segment (opposite on the second), the moment of bending on the frame before it, and the
// force of the core spring on its smoothed curve.
template <class F>
RINGLET_KERNEL void find_forces(const SpringUniforms& p, const Strand<F>& s,
                                Quat<F> root_rotation) {
    const Vec3<F> first = s.edge(0) * s.of(0, kSpringPerLength);
    const Vec3<F> first_rate = (s.v[1] - s.v[0]) * s.of(0, kSpringPerLength);
    CurveFrame<F> frame = root_frame(p, s, root_rotation, first);
    Smoothed<F> curve(first), core(first), core_rate(first_rate);
    s.moment.set(s.segments - 1, zero_vec3<F>());
    for (int i = 0; i < s.segments; ++i) {
        const Vec3<F> e = s.edge(i);
        const Vec3<F> along = unit_or(e, frame.tangent);
        s.along.set(i, along);
        const F length = norm(e), from_groomed = length - s.of(i, kSpringLength);
        const F near = s.of(i, kSpringLength) * F(kNearLimit * p.stretch_limit);
        s.pivot.set(i,
                    select(from_groomed > near, F(1), select(from_groomed < -near, F(-1), F(0))));
        const Vec3<F> target = frame.to_world(s.target(i));
        const Vec3<F> bending = (e - target) * s.of(i, kSpringBend);
        const F tension = s.of(i, kSpringStretch) * (length - s.of(i, kSpringRest));
        s.pull.set(i, along * tension + bending);
        if (i > 0) s.moment.set(i - 1, cross(target, bending));

        const F per_length = s.of(i, kSpringPerLength);
        const Vec3<F> d = curve.next(e * per_length, s.of(i, kSpringBeta));
        frame.travel(d);
        s.tangent.set(i, frame.tangent);
        s.per_smoothed.set(i, F(1) / max(norm(d), F(kMinSmoothedLength)));
        if (!p.has_core) continue;
        // k_c (|b| - |b_rest|) b^ + c_c (nu.b^) b^, the spring against extension only.
        const F beta = s.of(i, kSpringCoreBeta);
        const Vec3<F> b = core.next(e * per_length, beta);
        const Vec3<F> rate = core_rate.next((s.v[i + 1] - s.v[i]) * per_length, beta);
        const Vec3<F> axis = unit_or(b, zero_vec3<F>());
        const F extended = max(norm(b) - s.of(i, kSpringCoreRest), F(0));
        s.core.set(i, axis * (s.of(i, kSpringCore) * extended +
                              s.of(i, kSpringCoreDamping) * dot(rate, axis)));
    }
}

// Damps bending in segment i for half an inner step: removes a fraction of the relative velocity of
// its ends across the segment, implicitly, by opposite impulses.
template <class F>
RINGLET_KERNEL void damp_bending(const Strand<F>& s, int i, Vec3<F>& a, Vec3<F>& b) {
    const Vec3<F> along = s.along[i], dv = b - a;
    const Vec3<F> impulse = (dv - along * dot(dv, along)) * s.of(i, kSpringBendDamping);
    a += impulse * s.share[i];
    b -= impulse * s.share_after[i];
}

// Implicit stretch springs and dampers of all segments of a strand. With impulses lambda along the
// segments, backward Euler is the tridiagonal system
// (c + w_i + w_{i+1}) lambda_i - w_i (e^_{i-1}.e^_i) lambda_{i-1} - w_{i+1} (e^_i.e^_{i+1})
// lambda_{i+1} = dv.e^ with the compliance c = 1/(k_s h^2 + c_s h). A segment near a limit of its
// length has no compliance in that direction. The impulses vanish at rest, so the equilibrium does
// not depend on the step.
template <class F>
struct StretchElimination {
    F pivot = F(0), right = F(0);  // of the segment after
    Vec3<F> along = zero_vec3<F>();

    // Eliminates row i; called from tip to root. va, vb are the velocities of the segment's ends.
    RINGLET_KERNEL void next(const Strand<F>& s, int i, Vec3<F> va, Vec3<F> vb) {
        const F wa = s.w[i], wb = s.w[i + 1];
        const Vec3<F> here = s.along[i];
        const F rate = dot(vb - va, here);
        // It moves towards the limit, or would without the last impulse.
        const auto is_blocked = (s.pivot[i] * rate > F(0)) || (s.pivot[i] * s.impulse[i] > F(0));
        const F compliance = select(is_blocked, F(0), s.of(i, kSpringCompliance));
        const F off_diagonal = -wb * dot(here, along), factor = off_diagonal * pivot;
        const auto active = (s.of(i, kSpringPerLength) > F(0)) && (wa + wb > F(0));
        const F diagonal = max(compliance + wa + wb - off_diagonal * factor, F(kTiny));
        right = select(active, rate - factor * right, F(0));
        pivot = select(active, F(1) / diagonal, F(0));
        along = here;
        s.impulse.set(i, right);
        s.pivot.set(i, pivot);
    }
};

// Returns lambda_i from the one before, root to tip, and stores its magnitude.
template <class F>
RINGLET_KERNEL Vec3<F> stretch_impulse(const Strand<F>& s, int i, Vec3<F> before) {
    const Vec3<F> along = s.along[i];
    const F impulse = (s.impulse[i] + s.w[i] * dot(along, before)) * s.pivot[i];
    s.impulse.set(i, impulse);
    return along * impulse;
}

// The force of bending and core springs, which act on smoothed curves, on segment i.
template <class F>
RINGLET_KERNEL Vec3<F> smoothed_pull(const SpringUniforms& p, const Strand<F>& s, int i,
                                     CurveFrameBack<F>& frame, SmoothedBack<F>& curve,
                                     SmoothedBack<F>& core) {
    const F per_length = s.of(i, kSpringPerLength);
    const Vec3<F> tangent = s.tangent[i];
    const Vec3<F> turning =
        frame.next(s.moment[i], i > 0 ? s.tangent[i - 1] : tangent, tangent, s.per_smoothed[i]);
    Vec3<F> out = i > 0 ? curve.next(turning, s.of(i, kSpringBeta)) : curve.last(turning);
    if (p.has_core)
        out -= i > 0 ? core.next(s.core[i], s.of(i, kSpringCoreBeta)) : core.last(s.core[i]);
    return out * per_length;
}

// Pass from tip to root: transfers forces from the smoothed curves to segments, accelerates every
// vertex, damps bending and eliminates stretch. Bending is damped here and in move(), because a
// sweep in one direction only would add energy.
template <class F>
RINGLET_KERNEL void accelerate(const SpringUniforms& p, const Strand<F>& s, float step) {
    const F h = F(step);
    const Vec3<F> gravity = splat<F>(p.gravity), force = splat<F>(p.force);
    CurveFrameBack<F> frame_back;
    SmoothedBack<F> curve_back, core_back;
    StretchElimination<F> stretch;
    Vec3<F> pull_after = zero_vec3<F>(), v1 = zero_vec3<F>(), v2 = zero_vec3<F>();
    for (int i = s.rows - 1; i >= 0; --i) {
        Vec3<F> pull = zero_vec3<F>();
        if (i > 0)
            pull = s.pull[i - 1] - smoothed_pull(p, s, i - 1, frame_back, curve_back, core_back);
        const F w = s.w[i];
        const Vec3<F> gained = (gravity + (force + pull_after - pull) * w) * h;
        Vec3<F> v = select(w > F(0), s.v[i] + gained, s.v[i]);
        if (i < s.segments) {
            damp_bending(s, i, v, v1);
            s.v.set(i + 1, v1);
            if (i + 1 < s.segments) stretch.next(s, i + 1, v1, v2);
        }
        v2 = v1;
        v1 = v;
        pull_after = pull;
    }
    s.v.set(0, v1);
    if (s.segments > 0) stretch.next(s, 0, v1, v2);
}

// The displacement of vertex i that brings the length of segment i - 1 within its limits.
template <class F>
RINGLET_KERNEL Vec3<F> limit_move(const SpringUniforms& p, const Strand<F>& s, int i, Vec3<F> e) {
    const F l = s.of(i - 1, kSpringLength), length = norm(e);
    const F limited = min(max(length, l * F(1 - p.stretch_limit)), l * F(1 + p.stretch_limit));
    const auto active =
        (s.of(i - 1, kSpringPerLength) > F(0)) && (s.w[i] > F(0)) && (length > F(kTiny));
    return select(active, e * (limited / max(length, F(kTiny)) - F(1)), zero_vec3<F>());
}

template <class F>
RINGLET_KERNEL F mass_of(F w) {
    return select(w > F(0), F(1) / max(w, F(kTiny)), F(0));
}

// The limits on lengths displace vertex i only; this keeps the centre of mass of a free strand.
template <class F>
RINGLET_KERNEL void restore_centre(const Strand<F>& s, Vec3<F> displaced) {
    F mass = F(0);
    for (int i = 0; i < s.rows; ++i) mass = mass + mass_of(s.w[i]);
    const Vec3<F> shift = displaced * (F(1) / max(mass, F(kTiny)));
    for (int i = 0; i < s.rows; ++i) s.u.set(i, select(s.w[i] > F(0), s.u[i] - shift, s.u[i]));
}

// Pass from root to tip: substitutes stretch back, damps bending, moves the vertex and limits the
// length of its segment. The solve has already removed the velocity beyond the limit.
template <class F>
RINGLET_KERNEL void move(const SpringUniforms& p, const Strand<F>& s, float step) {
    const F h = F(step);
    Vec3<F> u_before = zero_vec3<F>(), displaced = zero_vec3<F>(), v = s.v[0],
            impulse = zero_vec3<F>();
    if (s.segments > 0) {
        impulse = stretch_impulse(s, 0, impulse);
        v += impulse * s.w[0];
    }
    for (int i = 0; i < s.rows; ++i) {
        Vec3<F> v_after = zero_vec3<F>();
        if (i < s.segments) {
            Vec3<F> impulse_after = zero_vec3<F>();
            if (i + 1 < s.segments) impulse_after = stretch_impulse(s, i + 1, impulse);
            v_after = s.v[i + 1] + (impulse_after - impulse) * s.w[i + 1];
            damp_bending(s, i, v, v_after);
            impulse = impulse_after;
        }
        Vec3<F> u = s.u[i] + v * h;
        if (i > 0) {
            const Vec3<F> correction = limit_move(p, s, i, (s.x[i] - s.x[i - 1]) + (u - u_before));
            u += correction;
            if (p.held == 0) displaced += correction * mass_of(s.w[i]);
        }
        s.u.set(i, u);
        s.v.set(i, v);
        u_before = u;
        v = v_after;
    }
    if (p.held == 0) restore_centre(s, displaced);
}

// Moves each vertex out of the body it is deepest in, and reduces its tangential displacement and
// velocity relative to the body by at most mu times the push (Coulomb). Returns the lanes in
// contact.
template <class F>
RINGLET_KERNEL auto push_out(const SpringUniforms& p, const Strand<F>& s) {
    auto in_contact = F(1) < F(0);
    const F rate = F(1 / p.h);
    for (int i = 0; i < s.rows; ++i) {
        const Vec3<F> x = s.x[i];
        Vec3<F> u = s.u[i], normal = zero_vec3<F>(), body_move = zero_vec3<F>();
        const F gap = s.gap[i];
        F depth = gap, friction = F(0), restitution = F(0);
        for (int k = 0; k < p.collider_count; ++k) {
            const PlacedCollider& body = p.colliders[k];
            const SurfacePoint<F> surface = nearest_surface(body, x + u);
            const auto closer = (surface.distance < depth) && (s.w[i] > F(0));
            depth = select(closer, surface.distance, depth);
            normal = select(closer, surface.normal, normal);
            friction = select(closer, F(body.friction), friction);
            restitution = select(closer, F(body.restitution), restitution);
            if (any(closer)) body_move = select(closer, moved_with(body, x) - x, body_move);
        }
        const F push = gap - depth;
        const auto inside = push > F(0);
        in_contact = in_contact || inside;
        if (!any(inside)) continue;
        u += normal * push;
        const Vec3<F> slip = (u - body_move) - normal * dot(normal, u - body_move);
        u -= slip * min(friction * push / max(norm(slip), F(kTiny)), F(1));
        s.u.set(i, select(inside, u, s.u[i]));

        const Vec3<F> v = s.v[i], relative = v - body_move * rate;
        const F approach = dot(normal, relative), stopped = max(-approach, F(0));
        const Vec3<F> sliding = relative - normal * approach;
        const F dragged = min(friction * stopped / max(norm(sliding), F(kTiny)), F(1));
        const F bounce = rebound_speed(restitution, -approach, p.h);
        const Vec3<F> next = v + normal * (stopped + bounce) - sliding * dragged;
        s.v.set(i, select(inside, next, v));
    }
    return in_contact;
}

// The contact of segment i, which moves from x to x + u, with a thin body.
template <class F>
RINGLET_KERNEL SegmentHit<F> segment_hit(const SpringUniforms& p, const Strand<F>& s, int i,
                                         const SegmentEnds<F>& x, const SegmentEnds<F>& u) {
    const F gap = max(min(s.gap[i], s.gap[i + 1]), F(0));
    return deepest_segment_hit<F>(p.colliders, p.collider_count, x, {x.a + u.a, x.b + u.b}, gap,
                                  {});
}

// The same for segments and thin bodies; without restitution.
template <class F>
RINGLET_OUTLINED auto push_segments_out(const SpringUniforms& p, const Strand<F>& s) {
    auto in_contact = F(1) < F(0);
    const F rate = F(1 / p.h);
    for (int i = 0; i < s.segments; ++i) {
        const SegmentEnds<F> x = {s.x[i], s.x[i + 1]}, u = {s.u[i], s.u[i + 1]},
                             v = {s.v[i], s.v[i + 1]};
        const F w_a = s.w[i], w_b = s.w[i + 1];
        const SegmentHit<F> hit = segment_hit(p, s, i, x, u);
        const auto inside = (hit.depth > F(0)) && (s.of(i, kSpringPerLength) > F(0));
        in_contact = in_contact || inside;
        if (!any(inside)) continue;
        const Vec3<F> n = hit.normal, x_s = x.at(hit.s), u_s = u.at(hit.s), v_s = v.at(hit.s);
        Vec3<F> body_move = zero_vec3<F>();
        F friction = F(0);
        for (int k = 0; k < p.collider_count; ++k) {
            const auto is_this = abs(hit.body - F(static_cast<float>(k))) < F(0.5f);
            body_move = select(is_this, moved_with(p.colliders[k], x_s) - x_s, body_move);
            friction = select(is_this, F(p.colliders[k].friction), friction);
        }
        const Vec3<F> moved = u_s - body_move, slip = moved - n * dot(n, moved);
        const F kept = min(friction * hit.depth / max(norm(slip), F(kTiny)), F(1));
        const Vec3<F> relative = v_s - body_move * rate;
        const F approach = dot(n, relative), stopped = max(-approach, F(0));
        const Vec3<F> sliding = relative - n * approach;
        const F dragged = min(friction * stopped / max(norm(sliding), F(kTiny)), F(1));
        const F per_force = select(inside, hit.force_for(F(1), w_a, w_b), F(0));
        const Vec3<F> du = (n * hit.depth - slip * kept) * per_force;
        const Vec3<F> dv = (n * stopped - sliding * dragged) * per_force;
        const F a = w_a * hit.weight_a(), b = w_b * hit.weight_b();
        s.u.set(i, u.a + du * a);
        s.u.set(i + 1, u.b + du * b);
        s.v.set(i, v.a + dv * a);
        s.v.set(i + 1, v.b + dv * b);
    }
    return in_contact;
}

// Limits the lengths again after contact, in the lanes in contact.
template <class F, class M>
RINGLET_KERNEL void limit_lengths(const SpringUniforms& p, const Strand<F>& s, M in_contact) {
    for (int i = 1; i < s.rows; ++i) {
        const Vec3<F> u = s.u[i];
        s.u.set(i, select(in_contact, u + limit_move(p, s, i, s.edge(i - 1)), u));
    }
}

// Limiting lengths must not pull a segment through a thin body, so both alternate, and contact
// comes last.
template <class F, class M>
RINGLET_OUTLINED void hold_segments(const SpringUniforms& p, const Strand<F>& s, M in_contact) {
    for (int n = 0; n < kHoldSweeps; ++n) {
        if (n > 0) limit_lengths(p, s, in_contact);
        for (int i = 0; i < s.segments; ++i) {
            const SegmentEnds<F> x = {s.x[i], s.x[i + 1]}, u = {s.u[i], s.u[i + 1]};
            const SegmentHit<F> hit = segment_hit(p, s, i, x, u);
            const auto inside = (hit.depth > F(0)) && (s.of(i, kSpringPerLength) > F(0));
            if (!any(inside)) continue;
            const F w_a = s.w[i], w_b = s.w[i + 1];
            const Vec3<F> push = hit.normal * hit.force_for(hit.depth, w_a, w_b);
            s.u.set(i, select(inside, u.a + push * (w_a * hit.weight_a()), u.a));
            s.u.set(i + 1, select(inside, u.b + push * (w_b * hit.weight_b()), u.b));
        }
    }
}

// Values out of range are reset and reported (limits.h).
template <class F>
RINGLET_KERNEL void advance(const SpringUniforms& p, const Strand<F>& s) {
    F repaired = F(-1);
    for (int i = s.rows - 1; i >= 0; --i) {
        const Vec3<F> x = s.x[i], v = s.v[i];
        Vec3<F> next = x + s.u[i];
        auto held = F(1) < F(0);
        if (i < p.held) {  // exactly on the head, at any speed
            held = i == 0 ? F(0) < F(1) : s.of(0, kSpringPerLength) > F(0);
            next = select(held, x + (apply(s.head, s.root[kSpringPosition0 + i]) - x), next);
        }
        const auto sane = held || ((norm(v) < F(kMaxSpeed)) && (norm(next) < F(kMaxCoordinate)));
        repaired = select(sane, repaired, F(static_cast<float>(i)));
        s.x.set(i, select(sane, next, x));
        s.v.set(i, select(sane, v, zero_vec3<F>()));
    }
    s.repaired.set(0, max(s.repaired[0], repaired));
    s.root_rotation.set(0, s.head.rotation);
}

}  // namespace spring

struct SpringKernel : KernelDefaults {
    using Uniforms = SpringUniforms;
    using Block = SpringBlock;
    static constexpr int kScratch = SpringBlock::kScratch;

    // Segments that collide with thin bodies are a variant, so that they cost nothing elsewhere.
    static constexpr int kVariants = 2;
    static int variant_of(const SpringUniforms& p) { return p.has_thin_bodies ? 1 : 0; }
    RINGLET_KERNEL static void fix_variant(SpringUniforms& p, int variant) {
        p.has_thin_bodies = variant == 1;
    }

    template <class F>
    RINGLET_KERNEL static void substep(const SpringUniforms& p, const SpringBlock& block) {
        const spring::Strand<F> s(p, block);
        const float step = p.h / static_cast<float>(p.steps);
        spring::start(p, s);
        for (int n = 0; n < p.steps; ++n) {
            if (s.segments > 0) {
                const F part = F(static_cast<float>(n) / static_cast<float>(p.steps));
                spring::find_forces(
                    p, s, spring::interpolate_rotation(s.root_rotation[0], s.head.rotation, part));
            }
            spring::accelerate(p, s, step);
            spring::move(p, s, step);
        }
        if (p.collider_count > 0) {
            auto in_contact = spring::push_out(p, s);
            if (p.has_thin_bodies) {
                const auto touches = spring::push_segments_out(p, s);
                in_contact = in_contact || touches;
            }
            if (any(in_contact)) spring::limit_lengths(p, s, in_contact);
            if (p.has_thin_bodies) spring::hold_segments(p, s, in_contact);
        }
        spring::advance(p, s);
    }
};

}  // namespace ringlet
