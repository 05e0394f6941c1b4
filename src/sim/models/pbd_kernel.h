// Position based dynamics of hair (Müller et al. 2007): one substep of the strands of a block. The
// same source serves one lane or eight, CPU or GPU. pbd.cpp prepares the data.
#pragma once

#include "collide/segment_contact.h"
#include "sim/kernel_protocol.h"
#include "sim/kernels/limits.h"
#include "sim/kernels/rebound.h"
#include "sim/kernels/rigid_damping.h"
#include "sim/kernels/root_pose.h"
#include "sim/models/pbd_stage.h"
#include "strand/block_pair.h"

namespace ringlet {

struct PbdPairUniforms {
    int span;         // 0: between the first and the last vertex
    float stiffness;  // per iteration
};

// The same for every strand in a substep.
struct PbdUniforms {
    float h;          // s, length of the substep, or of the backward Euler step of a stage
    StepStage stage;  // of a second-order step
    float span;       // s, by which time advances; differs from h in the second stage
    int iterations;
    Vec3f gravity, force;
    float rigid_damping;      // 1 - e^{-c h}, of all but the rigid motion
    float stretch_stiffness;  // per iteration
    float bend_stiffness;
    int bend_chunk;
    bool has_goals;      // some vertex is pulled to its groomed position
    int first_free;      // the head holds the vertices before it
    int rows_with_rest;  // vertices whose groomed position is stored
    int length_solves;   // direct solves of all lengths after the iterations
    Rigidf head;         // pose at the end of the substep
    const PlacedCollider* colliders;
    int collider_count;
    bool has_thin_bodies;  // some collide with segments too (collide/segment_contact.h)
    PbdPairUniforms pairs[kMaxPbdPairs];
    int pair_count;
};

// m; bodies this close beyond the gap get a contact plane.
inline constexpr float kPbdContactRange = 0.02f;
// m; a vertex this far above its plane is still in contact.
inline constexpr float kPbdContactTolerance = 1e-6f;

// Relative stretch beyond which the lengths of a strand are clamped.
inline constexpr float kPbdMaxStretch = 0.01f;

// Passes over the segments of a strand that keep them out of thin bodies.
inline constexpr int kHoldSweeps = 3;

// The most vertices that the head holds at the root.
inline constexpr int kHeldAtRoot = 2;

// The channels of one block, at vertex 0 and the first lane; null if the settings do not use them.
struct PbdBlock {
    int rows;
    float* x;             // m
    float* v;             // m/s
    const float* w;       // 1/kg, one row: inverse mass of a free vertex
    const float* end;     // one row: vertices from this one on are held or padding
    const float* rest;    // m, groomed positions in the head's frame
    const float* root;    // if `rest` is null: of the first kHeldAtRoot vertices
    const float* pose;    // kPoseRows rows: pose of the skin at the root (root_pose.h)
    const float* length;  // m, to the next vertex; -1 after the last vertex
    const float* goal;    // per iteration: stiffness of the pull to the groomed position
    const float* gap;     // m, distance kept to bodies
    const float* bend;    // rad, rest angle at the vertex; -1: no constraint
    const float* pair[kMaxPbdPairs];  // m, rest distance to vertex i + span; -1: none
    float* scratch;                   // rows * kScratch
    float* plain;                     // one row: 1 if the first stage was not extrapolated
    float* repaired;                  // one row: first repaired vertex, or -1
    float* strain_limited;            // one row: 1 if the strain limit acted; may be null

    // Floats per vertex of scratch memory: displacement, contact, length solve, contact of the
    // segment; on the CPU also the offsets to the vertices it has a distance constraint with.
    static constexpr int kScratch = 14;
    static constexpr int kCpuScratch = kScratch + 3 * (kMaxPbdPairs + 1);

    template <class Visit>
    RINGLET_KERNEL void visit(const Visit& visit) {
        visit(x, 3, Per::row);
        visit(v, 3, Per::row);
        visit(w, 1, Per::block);
        visit(end, 1, Per::block);
        visit(rest, 3, Per::row);
        visit(root, kHeldAtRoot * 3, Per::block);
        visit(pose, kPoseRows, Per::block);
        for (const float** channel : {&length, &goal, &gap, &bend}) visit(*channel, 1, Per::row);
        for (const float*& channel : pair) visit(channel, 1, Per::row);
        visit(scratch, kScratch, Per::run);
        visit(plain, 1, Per::block);
        visit(repaired, 1, Per::block);
        visit(strain_limited, 1, Per::block);
    }
};

namespace pbd {

template <class F>
struct Strand : Vertices<F> {
    Rows3<F> v, normal;     // normal: of the contact plane; zero: none
    Rows1<F> offset;        // contact: height of x above the plane; later the rebound speed, m/s
    Rows1<F> contact_body;  // contact: index of the collider
    Rows1<F> pivot;         // length solve: eliminated diagonal; shares memory with contact_body
    Rows1<F> lambda;        // length solve: right side, then multipliers
    // Contact of the segment after the vertex: normal of the plane, where on the segment, height of
    // the point there at x above the plane, collider or -1; the last shares memory with lambda.
    Rows3<F> segment_normal;
    Rows1<F> segment_at, segment_offset, segment_body;
    ConstRows3<F> rest;
    ConstRows1<F> length, goal, gap, bend;
    Rigid<F> head;  // pose of the skin at the root at the end of the substep
    Rows1<F> plain, repaired, strain_limited;
    // Second stage: strands that take it as a backward Euler step of length `span`.
    Mask<F> is_plain = F(1) < F(0);
    F h, rate;       // s, length of the backward Euler step; 1/h
    Rows3<F> v_end;  // m/s, at the end of a stage; shares memory with segment_normal

    RINGLET_KERNEL Strand(const PbdUniforms& p, const PbdBlock& b)
        : Vertices<F>{b.rows,
                      {b.x},
                      {b.scratch},
                      {load<F>(b.w), load<F>(b.end), p.first_free, b.rows}},
          v{b.v},
          normal{b.scratch + 3 * b.rows * kRowWidth},
          offset{b.scratch + 6 * b.rows * kRowWidth},
          contact_body{b.scratch + 7 * b.rows * kRowWidth},
          pivot{contact_body},
          lambda{b.scratch + 8 * b.rows * kRowWidth},
          segment_normal{b.scratch + 9 * b.rows * kRowWidth},
          segment_at{b.scratch + 12 * b.rows * kRowWidth},
          segment_offset{b.scratch + 13 * b.rows * kRowWidth},
          segment_body{lambda},
          rest{b.rest ? b.rest : b.root},
          length{b.length},
          goal{b.goal},
          gap{b.gap},
          bend{b.bend},
          head(root_pose<F>(p.head, b.pose)),
          plain{b.plain},
          repaired{b.repaired},
          strain_limited{b.strain_limited},
          h(p.h),
          rate(1 / p.h),
          v_end{segment_normal} {
        if (p.stage != StepStage::second) return;
        is_plain = plain[0] > F(0);
        h = select(is_plain, F(p.span), h);
        rate = select(is_plain, F(1 / p.span), rate);
    }

    // The share of the motion of bodies in the second stage that is left after the extrapolation.
    RINGLET_KERNEL F share_of_motion(const PbdUniforms& p) const { return h * F(1 / p.span); }
};

// The displacement of vertex i if the head holds it.
template <class F>
RINGLET_KERNEL Vec3<F> head_displacement(const PbdUniforms& p, const Strand<F>& s, int i) {
    if (i >= p.rows_with_rest) return zero_vec3<F>();
    return apply(s.head, s.rest[i]) - s.x[i];
}

// v += h (g + w f), u = h v; held vertices follow the head.
template <class F>
RINGLET_KERNEL void predict(const PbdUniforms& p, const Strand<F>& s) {
    const F h = s.h;
    const Vec3<F> gravity = splat<F>(p.gravity), force = splat<F>(p.force);
    for (int i = 0; i < s.rows; ++i) {
        const F w = s.w[i];
        const Vec3<F> v = s.v[i] + (gravity + force * w) * h;
        s.v.set(i, select(w > F(0), v, head_displacement(p, s, i) * (F(1) / F(p.span))));
    }
    if (p.rigid_damping > 0) damp_all_but_rigid_motion(s, F(p.rigid_damping));
    for (int i = 0; i < s.rows; ++i)
        s.u.set(i, select(s.w[i] > F(0), s.v[i] * h, head_displacement(p, s, i)));
}

// Finds one contact plane per vertex, of the body nearest to the predicted position. Includes
// bodies the vertex has not reached, because the iterations may pull it in: without them, hair
// penetrates the head of figure3d by 10 mm.
template <class F>
RINGLET_KERNEL void find_contacts(const PbdUniforms& p, const Strand<F>& s) {
    for (int i = 0; i < s.rows; ++i) {
        const Vec3<F> x = s.x[i], u = s.u[i];
        const F gap = s.gap[i];
        F depth = gap + F(kPbdContactRange);
        Vec3<F> normal = zero_vec3<F>();
        F contact_body = F(-1);
        for (int k = 0; k < p.collider_count; ++k) {
            const SurfacePoint<F> surface = nearest_surface(p.colliders[k], x + u);
            const auto closer = surface.distance < depth;
            depth = select(closer, surface.distance, depth);
            normal = select(closer, surface.normal, normal);
            contact_body = select(closer, F(static_cast<float>(k)), contact_body);
        }
        s.normal.set(i, normal);
        s.offset.set(i, depth - gap - dot(normal, u));
        s.contact_body.set(i, contact_body);
    }
}

// The contact of segment i with a thin body, up to `range` (m) in front of it.
template <class F>
RINGLET_KERNEL SegmentHit<F> segment_hit(const PbdUniforms& p, const Strand<F>& s, int i,
                                         float range) {
    const Moving<F> a = s.vertex(i), b = s.vertex(i + 1);
    const F gap = max(min(s.gap[i], s.gap[i + 1]), F(0));
    return deepest_segment_hit<F>(p.colliders, p.collider_count, {a.x, b.x}, {a.x + a.u, b.x + b.u},
                                  gap, {.range = range});
}

// The same for segments and thin bodies.
template <class F>
RINGLET_OUTLINED void find_segment_contacts(const PbdUniforms& p, const Strand<F>& s) {
    for (int i = 0; i + 1 < s.rows; ++i) {
        const Moving<F> a = s.vertex(i), b = s.vertex(i + 1);
        const SegmentHit<F> hit = segment_hit(p, s, i, kPbdContactRange);
        const auto exists = s.length[i] > F(0);
        const Vec3<F> n = select(exists, hit.normal, zero_vec3<F>());
        const F moved = dot(n, a.u) * hit.weight_a() + dot(n, b.u) * hit.weight_b();
        s.segment_normal.set(i, n);
        s.segment_at.set(i, hit.s);
        s.segment_offset.set(i, -hit.depth - moved);
        s.segment_body.set(i, select(exists, hit.body, F(-1)));
    }
}

// Solves all lengths of a strand at once. The linearised constraints C_i = |e_i| - l_i couple only
// neighbours, so that one Newton step propagates an error from root to tip, where Gauss-Seidel
// needs one sweep per segment, and it conserves momentum as well. The sweeps correct a segment
// whose constraint depends on the others.
template <class F>
RINGLET_KERNEL void solve_lengths(const Strand<F>& s) {
    const auto error = [&](int i, Vec3<F>, F length) {
        // Newton steps are accurate for small errors only; large errors take several steps.
        const F l = s.length[i];
        return min(max(length - l, F(-0.25f) * l), F(0.25f) * l);
    };
    solve_along_segments<F>(s, error,
                            [&](int i, const Moving<F>& at, Vec3<F> by) { s.u.set(i, at.u + by); });
}

// The last vertex differs between lanes: it is the one whose rest value is set.
template <class F>
RINGLET_KERNEL void project_ends(const Strand<F>& s, ConstRows1<F> rest, float stiffness) {
    Moving<F> first = s.vertex(0), last = first;
    F l = F(-1);
    for (int i = 1; i < s.rows; ++i) {
        const auto is_last = rest[i] >= F(0);
        const Moving<F> here = s.vertex(i);
        last = {select(is_last, here.x, last.x), select(is_last, here.u, last.u),
                select(is_last, here.w, last.w)};
        l = select(is_last, rest[i], l);
    }
    project_any_distance(first, last, l, stiffness);
    s.u.set(0, first.u);
    for (int i = 1; i < s.rows; ++i) s.u.set(i, select(rest[i] >= F(0), last.u, s.u[i]));
}

// Bending constraint at vertex i + chunk.
template <class F>
RINGLET_KERNEL void project_bend(const PbdUniforms& p, const Strand<F>& s, int i) {
    const int chunk = p.bend_chunk;
    Moving<F> a = s.vertex(i), b = s.vertex(i + chunk), c = s.vertex(i + 2 * chunk);
    project_angle(a, b, c, s.bend[i + chunk], F(p.bend_stiffness));
    s.u.set(i, a.u);
    s.u.set(i + chunk, b.u);
    s.u.set(i + 2 * chunk, c.u);
}

// C = x + u - p_goal, with the groomed position in the head's frame: keeps a hairstyle in shape.
template <class F>
RINGLET_KERNEL void project_goal(const Strand<F>& s, int i) {
    const Vec3<F> u = s.u[i];
    const Vec3<F> target = apply(s.head, s.rest[i]) - s.x[i];
    s.u.set(i, u + (target - u) * s.goal[i]);
}

template <class F>
RINGLET_KERNEL void project_contact(const Strand<F>& s, int i) {
    Vec3<F> u = s.u[i];
    project_half_space(u, s.w[i], s.normal[i], s.offset[i]);
    s.u.set(i, u);
}

// C = n.(x_s + u_s - q) >= 0 for the point at s of segment i. `offset` is n.(x_s - q). Not inlined:
// that would slow the other sweeps down by 3 %.
template <class F>
RINGLET_OUTLINED void project_segment(const Strand<F>& s, int i) {
    const Vec3<F> n = s.segment_normal[i], u_a = s.u[i], u_b = s.u[i + 1];
    const F at = s.segment_at[i], w_a = s.w[i], w_b = s.w[i + 1];
    const SegmentHit<F> hit = {at, F(0), F(0), F(0), F(0), n};
    const F above =
        dot(n, u_a) * hit.weight_a() + dot(n, u_b) * hit.weight_b() + s.segment_offset[i];
    const F force = hit.force_for(max(-above, F(0)), w_a, w_b);
    s.u.set(i, u_a + n * (w_a * hit.weight_a() * force));
    s.u.set(i + 1, u_b + n * (w_b * hit.weight_b() * force));
}

// Prefetches floats into the L2 cache; L1 is full. Any address is allowed.
RINGLET_KERNEL void prefetch([[maybe_unused]] const float* at, [[maybe_unused]] int floats) {
#ifndef __CUDA_ARCH__
    constexpr int kLine = 16;  // floats per cache line
    for (int k = 0; k < floats; k += kLine) __builtin_prefetch(at + k, 0, 2);
#endif
}

// Prefetches the channels of the next block, or of the next two, which follow the current ones in
// memory, while the sweeps run.
struct PrefetchNext {
    PbdBlock first;  // the first of the current blocks
    int blocks;      // number of current blocks; 0: no prefetch

    // Called in step t of the sweeps.
    RINGLET_KERNEL void operator()(int t) {
        if (kOnGpu || blocks == 0 || t >= first.rows) return;
        if (t == 0) first.visit(*this);
        const std::ptrdiff_t row = row_offset(blocks * (first.rows + t), 1);
        const int floats = blocks * kRowWidth;
        prefetch(first.x + 3 * row, 3 * floats);
        prefetch(first.v + 3 * row, 3 * floats);
        prefetch(first.length + row, floats);
        for (int k = 0; k < kMaxPbdPairs && first.pair[k]; ++k)
            prefetch(first.pair[k] + row, floats);
    }
    // Called for each channel; prefetches those with one row per block.
    template <class T>
    RINGLET_KERNEL void operator()(T*& at, int components, Per per) const {
        const int floats = blocks * components * kRowWidth;
        if (at && per == Per::block) prefetch(at + floats, floats);
    }
};

template <class F>
RINGLET_OUTLINED void run_any(const PbdUniforms& p, const Strand<F>& s, const Sweeps& sweeps,
                              int iterations, PrefetchNext& next) {
    run_sweeps(s.rows, sweeps, iterations, next, [&](const Sweep& sweep, int i) {
        switch (sweep.kind) {
            case Sweep::distances:
                return project_span(s, sweep.spans, i);
            case Sweep::goals:
                return project_goal(s, i);
            case Sweep::bends:
                return project_bend(p, s, i);
            default:
                if (sweep.kind == Sweep::contacts) return project_contact(s, i);
                return project_segment(s, i);
        }
    });
}

template <class F>
RINGLET_KERNEL void run(const PbdUniforms& p, const Strand<F>& s, const Sweeps& sweeps,
                        int iterations, float* memory, PrefetchNext& next) {
    if (sweeps.count == 0) return;
    bool only_distances = true;
    for (int k = 0; k < sweeps.count; ++k)
        only_distances = only_distances && sweeps.at[k].kind == Sweep::distances;
    if (only_distances)
        run_distances(s, sweeps, iterations, memory, next);
    else
        run_any(p, s, sweeps, iterations, next);
}

// Lengths and contacts come last, because their errors are the most visible.
template <class F>
RINGLET_KERNEL void iterate(const PbdUniforms& p, const PbdBlock& block, const Strand<F>& s) {
    bool has_ends = false;
    for (int k = 0; k < p.pair_count; ++k) has_ends = has_ends || p.pairs[k].span == 0;
    for (int n = 0; n < (has_ends ? p.iterations : 1); ++n) {
        PrefetchNext next{block, n == 0 ? 1 : 0};
        float* const memory = block.scratch + PbdBlock::kCpuScratch * s.rows * kRowWidth;
        float* offsets = block.scratch + PbdBlock::kScratch * s.rows * kRowWidth;
        Sweeps sweeps;
        const auto add_distances = [&](int span, const float* rest, float stiffness) {
            const Spans spans{span, rest, stiffness, offsets};
            if (!kOnGpu && n == 0) store_offsets(s, spans);
            offsets += 3 * s.rows * kRowWidth;
            sweeps.add({Sweep::distances, span, spans});
        };
        if (p.has_goals) sweeps.add({Sweep::goals, 0});
        for (int k = 0; k < p.pair_count; ++k) {
            const PbdPairUniforms& pair = p.pairs[k];
            if (pair.span > 0) {
                add_distances(pair.span, block.pair[k], pair.stiffness);
                continue;
            }
            run(p, s, sweeps, 1, memory, next);
            project_ends(s, ConstRows1<F>{block.pair[k]}, pair.stiffness);
            sweeps = {};
        }
        if (p.bend_stiffness > 0) sweeps.add({Sweep::bends, 2 * p.bend_chunk});
        add_distances(1, block.length, p.stretch_stiffness);
        if (p.collider_count > 0) sweeps.add({Sweep::contacts, 0});
        if (p.has_thin_bodies) sweeps.add({Sweep::segment_contacts, 1});
        run(p, s, sweeps, has_ends ? 1 : p.iterations, memory, next);
    }
}

// Coulomb friction on displacements: reduces the tangential displacement relative to the body by at
// most mu times the displacement by the contact. Stores the rebound speed in `offset`. Returns the
// strands that meet a body faster than one at rest does.
template <class F>
RINGLET_KERNEL Mask<F> finish_contacts(const PbdUniforms& p, const Strand<F>& s) {
    const F h = s.h, rate = s.rate;
    Mask<F> impact = F(1) < F(0);
    for (int i = 0; i < s.rows; ++i) {
        const F contact_body = s.contact_body[i], offset = s.offset[i];
        const Vec3<F> x = s.x[i], v = s.v[i], n = s.normal[i];
        // In contact at the predicted position, or where its neighbours pulled it.
        const F lowest = offset + min(dot(n, v) * h, dot(n, s.u[i]));
        const auto active =
            (contact_body >= F(0)) && (s.w[i] > F(0)) && (lowest < F(kPbdContactTolerance));
        s.offset.set(i, F(0));
        if (!any(active)) continue;
        Vec3<F> body_move = zero_vec3<F>();
        F friction = F(0), restitution = F(0);
        for (int k = 0; k < p.collider_count; ++k) {
            const PlacedCollider& body = p.colliders[k];
            const auto is_this = abs(contact_body - F(static_cast<float>(k))) < F(0.5f);
            body_move = select(is_this, moved_with(body, x) - x, body_move);
            friction = select(is_this, F(body.friction), friction);
            restitution = select(is_this, F(body.restitution), restitution);
        }
        if (p.stage == StepStage::second) body_move = body_move * s.share_of_motion(p);
        Vec3<F> u = s.u[i];
        const Vec3<F> moved = u - body_move;
        const F pushed = max(dot(n, u - v * h), F(0));
        const Vec3<F> slip = moved - n * dot(n, moved);
        const F stopped = min(friction * pushed / max(norm(slip), F(kTiny)), F(1));
        u -= slip * select(active, stopped, F(0));
        s.u.set(i, u);

        const F approach = dot(n, body_move * rate - v), leaving = dot(n, moved) * rate;
        const F bounce = rebound_speed(restitution, approach, p.h);
        const auto hits = active && (approach > F(0)) && (pushed > F(0));
        impact = impact || (hits && (approach > F(kRestingFall * p.h)));
        if (p.stage == StepStage::second) {
            // The stage may start inside the body, because the first one was extrapolated. Contact
            // stops the vertex but does not throw it back.
            const F excess = max(pushed * rate - max(approach, F(0)), F(0));
            s.offset.set(i, select(active, select(hits, bounce, F(0)) - excess, F(0)));
            continue;
        }
        s.offset.set(i, select(hits, max(bounce - leaving, F(0)), F(0)));
    }
    return impact;
}

// Friction of segments with thin bodies, as in finish_contacts().
template <class F>
RINGLET_OUTLINED void finish_segment_contacts(const PbdUniforms& p, const Strand<F>& s) {
    for (int i = 0; i + 1 < s.rows; ++i) {
        const F index = s.segment_body[i], w_a = s.w[i], w_b = s.w[i + 1];
        const Vec3<F> n = s.segment_normal[i];
        const SegmentHit<F> hit = {s.segment_at[i], F(0), F(0), index, F(0), n};
        const Vec3<F> u = SegmentEnds<F>{s.u[i], s.u[i + 1]}.at(hit.s);
        const Vec3<F> free = SegmentEnds<F>{s.v[i], s.v[i + 1]}.at(hit.s) * s.h;
        const F lowest = s.segment_offset[i] + min(dot(n, free), dot(n, u));
        const auto active = (index >= F(0)) && (lowest < F(kPbdContactTolerance));
        if (!any(active)) continue;
        const Vec3<F> x = SegmentEnds<F>{s.x[i], s.x[i + 1]}.at(hit.s);
        Vec3<F> body_move = zero_vec3<F>();
        F friction = F(0);
        for (int k = 0; k < p.collider_count; ++k) {
            const auto is_this = abs(index - F(static_cast<float>(k))) < F(0.5f);
            body_move = select(is_this, moved_with(p.colliders[k], x) - x, body_move);
            friction = select(is_this, F(p.colliders[k].friction), friction);
        }
        if (p.stage == StepStage::second) body_move = body_move * s.share_of_motion(p);
        const F pushed = max(dot(n, u - free), F(0));
        const Vec3<F> moved = u - body_move, slip = moved - n * dot(n, moved);
        const F stopped = min(friction * pushed / max(norm(slip), F(kTiny)), F(1));
        const Vec3<F> back = slip * hit.force_for(select(active, stopped, F(0)), w_a, w_b);
        s.u.set(i, s.u[i] - back * (w_a * hit.weight_a()));
        s.u.set(i + 1, s.u[i + 1] - back * (w_b * hit.weight_b()));
    }
}

// Restores the lengths of some strands from root to tip.
template <class F, class M>
RINGLET_KERNEL void clamp_lengths(const Strand<F>& s, M wanted) {
    for (int i = 0; i + 1 < s.rows; ++i) {
        const Moving<F> a = s.vertex(i), b = s.vertex(i + 1);
        const Vec3<F> offset = b.x - a.x;
        const Vec3<F> along = unit_or(between(a, b), unit_or(offset, Vec3<F>{F(0), F(-1), F(0)}));
        const auto active = wanted && (s.length[i] >= F(0)) && (b.w > F(0));
        s.u.set(i + 1, select(active, a.u + (along * s.length[i] - offset), b.u));
    }
}

// Strain limiting for errors that neither sweeps nor solves removed, for instance when a strand of
// many short segments is thrown about: clamps the lengths of strands stretched beyond
// kPbdMaxStretch from the root on. It does not conserve momentum, so it is the last resort.
template <class F>
RINGLET_KERNEL Mask<F> limit_strain(const Strand<F>& s) {
    F most = F(0);
    for (int i = 0; i + 1 < s.rows; ++i) {
        const F l = s.length[i];
        const F error = abs(norm(between(s.vertex(i), s.vertex(i + 1))) - l);
        most = max(most, select(l > F(kTiny), error / max(l, F(kTiny)), F(0)));
    }
    const auto stretched = most > F(kPbdMaxStretch);
    if (!any(stretched)) return stretched;
    if (s.strain_limited.at) s.strain_limited.set(0, select(stretched, F(1), s.strain_limited[0]));
    clamp_lengths(s, stretched);
    return stretched;
}

// The lengths must not pull a segment through a thin body, so both alternate, and contact comes
// last.
template <class F>
RINGLET_OUTLINED void hold_segments(const PbdUniforms& p, const Strand<F>& s) {
    auto moves = F(1) < F(0);
    for (int n = 0; n < kHoldSweeps; ++n) {
        if (n > 0) clamp_lengths(s, moves);
        moves = F(1) < F(0);
        for (int i = 0; i + 1 < s.rows; ++i) {
            const Moving<F> a = s.vertex(i), b = s.vertex(i + 1);
            const SegmentHit<F> hit = segment_hit(p, s, i, 0.0f);
            const auto inside = (hit.depth > F(0)) && (s.length[i] > F(0));
            if (!any(inside)) continue;
            moves = moves || inside;
            const Vec3<F> push = hit.normal * hit.force_for(hit.depth, a.w, b.w);
            s.u.set(i, select(inside, a.u + push * (a.w * hit.weight_a()), a.u));
            s.u.set(i + 1, select(inside, b.u + push * (b.w * hit.weight_b()), b.u));
        }
        if (!any(moves)) break;
    }
}

// v += (u - h v)/h rather than v = u/h: a vertex without constraints keeps its velocity exactly.
// Values out of range are reset and reported (limits.h).
template <class F>
RINGLET_KERNEL void advance(const PbdUniforms& p, const Strand<F>& s) {
    const F h = F(p.h), rate = F(1 / p.h);
    F repaired = F(-1);
    for (int i = s.rows - 1; i >= 0; --i) {
        const Vec3<F> x = s.x[i], u = s.u[i], v = s.v[i];
        const auto is_held = s.w[i] <= F(0);
        Vec3<F> next_v = v + (u - v * h) * rate;
        if (p.collider_count > 0) next_v += s.normal[i] * s.offset[i];
        next_v = select(is_held, v, next_v);
        const Vec3<F> next_x = x + u;
        const auto sane = (norm(next_v) < F(kMaxSpeed)) && (norm(next_x) < F(kMaxCoordinate));
        repaired = select(sane || is_held, repaired, F(static_cast<float>(i)));
        s.v.set(i, select(sane || is_held, next_v, zero_vec3<F>()));
        s.x.set(i, select(sane || is_held, next_x, x));
    }
    s.repaired.set(0, max(s.repaired[0], repaired));
}

// The part of a substep after the iterations.
template <class F>
RINGLET_KERNEL void finish(const PbdUniforms& p, const Strand<F>& s) {
    Mask<F> falls_back = F(1) < F(0);
    if (p.collider_count > 0) falls_back = finish_contacts(p, s);
    if (p.has_thin_bodies) finish_segment_contacts(p, s);
    for (int n = 0; n < p.length_solves; ++n) {
        solve_lengths(s);
        // Corrects the few segments for which a Newton step overshoots.
        for (int i = 0; i + 1 < s.rows; ++i)
            project_held_span(s, i, i + 1, s.length, p.stretch_stiffness);
    }
    if (p.length_solves > 0) falls_back = limit_strain(s) || falls_back;
    if (p.has_thin_bodies) hold_segments(p, s);
    if (p.stage != StepStage::whole) return advance_stage<F>(p, s, falls_back);
    advance(p, s);
}

// iterate() for two blocks with the same number of rows, if all constraints are distances.
template <class Wide>
RINGLET_KERNEL void iterate_pair(const PbdUniforms& p, const PbdBlock& a, const PbdBlock& b,
                                 float* scratch) {
    const int rows = a.rows;
    BlockPair pair{scratch + kActiveSweepFloats};
    const Wide free = load<Wide>(pair.interleave(a.w, b.w, 1)),
               end = load<Wide>(pair.interleave(a.end, b.end, 1));
    const Vertices<Wide> s{rows,
                           {pair.interleave(a.x, b.x, 3 * rows)},
                           {pair.interleave(a.scratch, b.scratch, 3 * rows)},
                           {free, end, p.first_free, rows}};
    Sweeps sweeps;
    const auto add_distances = [&](int span, const float* rest_a, const float* rest_b,
                                   float stiffness) {
        const float* const rest = pair.interleave(rest_a, rest_b, rows);
        const Spans spans{span, rest, stiffness, pair.reserve(3 * rows)};
        store_offsets(s, spans);
        sweeps.add({Sweep::distances, span, spans});
    };
    for (int k = 0; k < p.pair_count; ++k)
        add_distances(p.pairs[k].span, a.pair[k], b.pair[k], p.pairs[k].stiffness);
    add_distances(1, a.length, b.length, p.stretch_stiffness);
    PrefetchNext next{a, 2};
    run_distances(s, sweeps, p.iterations, scratch, next);
    BlockPair::separate(s.u.at, a.scratch, b.scratch, 3 * rows);
}

RINGLET_KERNEL bool has_only_distances(const PbdUniforms& p) {
    bool out = !p.has_goals && !(p.bend_stiffness > 0) && p.collider_count == 0;
    for (int k = 0; k < p.pair_count; ++k) out = out && p.pairs[k].span > 0;
    return out;
}

}  // namespace pbd

struct PbdKernel : KernelDefaults {
    using Uniforms = PbdUniforms;
    using Block = PbdBlock;
    static constexpr int kScratch = PbdBlock::kScratch;
    // Also the vectors to the other vertex of each distance constraint, which a GPU recomputes, and
    // the list of sweeps.
    static constexpr int kCpuScratch = PbdBlock::kCpuScratch;
    static constexpr int kCpuScratchPerBlock = pbd::kActiveSweepFloats;
    // Segments that collide with thin bodies are a variant, so that they cost nothing elsewhere.
    static constexpr int kVariants = 2;
    static int variant_of(const PbdUniforms& p) { return p.has_thin_bodies ? 1 : 0; }
    RINGLET_KERNEL static void fix_variant(PbdUniforms& p, int variant) {
        p.has_thin_bodies = variant == 1;
    }
    static constexpr bool kHasPairs = true;
    // For both blocks: scratch, masses and ends (in one row each), positions, displacements, and
    // per distance constraint the vector and its rest length.
    static constexpr int kPairScratch = 2 * (kScratch + 2 + 3 + 3 + 4 * (kMaxPbdPairs + 1));

    template <class F>
    RINGLET_KERNEL static void substep(const PbdUniforms& p, const PbdBlock& block) {
        const pbd::Strand<F> s(p, block);
        pbd::predict(p, s);
        if (p.collider_count > 0) pbd::find_contacts(p, s);
        if (p.has_thin_bodies) pbd::find_segment_contacts(p, s);
        pbd::iterate(p, block, s);
        pbd::finish(p, s);
    }

    template <class F, class Wide>
    RINGLET_KERNEL static void substep_pair(const PbdUniforms& p, const PbdBlock& a, PbdBlock b) {
        const auto own = row_offset(kScratch * a.rows, 1);
        b.scratch = a.scratch + own;
        if (!pbd::has_only_distances(p)) {
            b.scratch = a.scratch;
            substep<F>(p, a);
            return substep<F>(p, b);
        }
        const pbd::Strand<F> s_a(p, a), s_b(p, b);
        pbd::predict(p, s_a);
        pbd::predict(p, s_b);
        pbd::iterate_pair<Wide>(p, a, b, a.scratch + 2 * own);
        pbd::finish(p, s_a);
        pbd::finish(p, s_b);
    }
};

}  // namespace ringlet
