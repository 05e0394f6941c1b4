// What the rod's kernels work on: the numbers common to all strands in a substep, the channels of a
// block, and the strand as the kernels see it. rod.cpp fills them.
//
// State: vertices x, v; per segment a frame q (its third axis d is the segment's direction), its
// angular velocity omega, and the force lambda it carries, kept from substep to substep.
//
// Units of the solve: masses are relative to the strand's mean vertex mass M; forces are multiplied
// by h^2/M (metres), torques and joint stiffness too (m^2). At hair's scale
// (EI 8e-9 N m^2, M 6e-8 kg) that keeps every block within a few powers of ten of l^2 or 1, far
// from the ends of float, for any mass and stiffness with the same ratio.
#pragma once

#include "collide/collider.h"
#include "sim/kernels/block_solve.h"
#include "sim/kernels/root_pose.h"
#include "sim/kernels/rotation_maps.h"
#include "strand/block_channels.h"
#include "strand/row_stream.h"

namespace ringlet {

// What is the same for every strand in a substep.
struct RodUniforms {
    float h;     // s, length of the substep
    int solves;  // Newton steps in it
    int more_solves;
    Vec3f gravity, force;
    float spin_decay;  // e^{-c h}: what the air leaves of the angular velocity
    // Stiffness of a joint over `bend`: about the section's wide axis, about its narrow axis, and
    // of twist. A circular section has 1, 1 and GJ / EI.
    float about_wide, about_narrow, twist;
    float rayleigh_rate;  // beta / h: damping of the joints in units of their stiffness
    bool holds_roots;     // vertex 0 follows the head
    bool holds_tips;      // the last vertex does
    Rigidf head;          // pose at the end of the substep
    // Stiffness of a contact over M/h^2: of a new one, and of one that lasts.
    float contact_start, contact_limit;
    const PlacedCollider* colliders;
    int collider_count;

    // What there is to do. A GPU's compiler does better with one kind at a time.
    enum Kind { alone, among_bodies, of_any_section };
    static constexpr int kKinds = 3;
    int kind;
    RINGLET_KERNEL void settle_kind(int only) {
        kind = only;
        if (only == alone) collider_count = 0;
    }

    // Whether rows have something to do by themselves before the strands are solved.
    bool rows_go_first() const { return collider_count > 0; }
};

// Per segment, for the way back of a solve: inverse pivot, eliminated right side.
inline constexpr int kRodSolveScratch = 27;
// Per vertex in contact: of the solve, and of its end.
inline constexpr int kRodPressScratch = 9, kRodGripScratch = 10;

// The channels of one block, from vertex 0 and the first lane concerned; null where the settings
// make no use of them. Row i of a segment's channel belongs to the segment from vertex i to i + 1,
// or to the joint at its root end.
struct RodBlock {
    int rows;
    float* x;               // m
    float* v;               // m/s
    float* q;               // frames of the segments; those at the start until all is solved
    float* omega;           // rad/s
    float* lambda;          // m, force in the segment in the solve's units; 0 beyond the last one
    float* strain;          // rad, rotation vector of the joint in its segment's frame, for damping
    float* hardness;        // contact: its stiffness over M/h^2, growing while it lasts
    float* anchor;          // m, contact: the place friction holds on to
    float* touched;         // contact: whose collider the anchor is on, or -1
    float* lately;          // contact, one row: 0 where no vertex has one to forget
    const float* w;         // M over the vertex's mass; 0 where held and for padding
    const float* length;    // m, to the next vertex; -1 where there is none
    const float* bend;      // m^2/s^2, EI / (M l) of the joint; 0 where there is none
    const float* inertia;   // m^2, of the segment over M
    const float* turn;      // rest rotation from the frame before; row 0: from the head's frame
    const float* gap;       // m, kept to bodies
    const float* root;      // m, one row: place of vertex 0 in the head's own frame
    const float* pose;      // kPoseRows rows, of the skin under the root (root_pose.h)
    const float* tip;       // m, one row: place of the last vertex in the head's own frame
    const float* last;      // one row: the last vertex
    const float* per_kg;    // 1/kg, one row: 1/M
    float* scratch;         // rows * kScratch
    float* repaired;        // one row: first vertex whose numbers had to be repaired, or -1
    float* strain_limited;  // one row: 1 where the guard put lengths right; null: nobody asks
    // GPU: where vertices and frames go in the substep, beside where they were, so that every solve
    // can end it and the next one still go on. Elsewhere it ends in place, once all is solved: a
    // pass more, but none of it leaves the cache.
    float *x_out = nullptr, *v_out = nullptr, *q_out = nullptr, *omega_out = nullptr;
    float* near = nullptr;             // GPU: 1 where a vertex may meet a body, else 0 (rod_rows)
    float* prefetch_buffer = nullptr;  // GPU: fast memory for rows asked for (strand/row_stream.h)

    // Per vertex, with displacement, frames now and without torque, how far the vertex may go
    // before it meets a body, and whether it has met one.
    static constexpr int kScratch = 13 + kRodSolveScratch + kRodPressScratch + kRodGripScratch;
    // Floats of fast memory: the largest row of rod_kernel.h.
    static constexpr int kPrefetchFloats = 57 * kStreamSlots;

    template <class Visit>
    RINGLET_KERNEL void visit(const Visit& visit) {
        for (float** channel : {&x, &v, &omega, &lambda, &strain, &anchor})
            visit(*channel, 3, Per::row);
        for (float** channel : {&hardness, &touched}) visit(*channel, 1, Per::row);
        for (const float** channel : {&w, &length, &bend, &inertia, &gap})
            visit(*channel, 1, Per::row);
        visit(q, 4, Per::row);
        visit(turn, 4, Per::row);
        visit(root, 3, Per::block);
        visit(tip, 3, Per::block);
        visit(last, 1, Per::block);
        visit(lately, 1, Per::block);
        visit(per_kg, 1, Per::block);
        visit(pose, kPoseRows, Per::block);
        visit(scratch, kScratch, Per::run);
        visit(repaired, 1, Per::block);
        visit(strain_limited, 1, Per::block);
        for (float** channel : {&x_out, &v_out, &omega_out}) visit(*channel, 3, Per::row);
        visit(q_out, 4, Per::row);
        visit(near, 1, Per::row);
    }

    // Each channel of `host` that a substep writes beside where it reads it, and that place.
    template <class Visit>
    static void visit_outs(const RodBlock& host, RodBlock& there, const Visit& visit) {
        visit(host.x, there.x_out);
        visit(host.v, there.v_out);
        visit(host.q, there.q_out);
        visit(host.omega, there.omega_out);
    }
    // ... and what a device notes of each row beside a channel of as many numbers.
    template <class Visit>
    static void visit_notes(const RodBlock& host, RodBlock& there, const Visit& visit) {
        if (host.gap) visit(host.gap, there.near);
    }
};

namespace rod {

// What the way back of a solve needs of a segment.
template <class F>
struct Eliminated {
    PivotInverse<F> pivot;
    BlockVector<F> side;
};

// What contact makes of a vertex in the solve.
template <class F>
struct Press {
    Sym3<F> w;  // inverse mass
    Vec3<F> u;  // m, displacement without internal forces
};

// ... and what of it is needed once all is solved.
template <class F>
struct Grip {
    F touched;      // collider, or -1
    Vec3<F> hold;   // m, sticking: the anchor; sliding: from the anchor-to-be to the vertex
    F sticks;       // 1 or 0
    Vec3<F> exit;   // normal where the vertex started inside or bounces, else 0
    F most, least;  // m/s, bounds of its speed along that: let out gently, or thrown back
};

template <class F, class Visit>
RINGLET_KERNEL void each(Sym3<F>& a, const Visit& visit) {
    visit(a.xx);
    visit(a.xy);
    visit(a.xz);
    visit(a.yy);
    visit(a.yz);
    visit(a.zz);
}
template <class F, class Visit>
RINGLET_KERNEL void each(Eliminated<F>& a, const Visit& visit) {
    each(a.pivot.a, visit);
    each(a.pivot.b.x, visit);
    each(a.pivot.b.y, visit);
    each(a.pivot.b.z, visit);
    each(a.pivot.c, visit);
    each(a.side.angle, visit);
    each(a.side.multiplier, visit);
}
template <class F, class Visit>
RINGLET_KERNEL void each(Press<F>& a, const Visit& visit) {
    each(a.w, visit);
    each(a.u, visit);
}
template <class F, class Visit>
RINGLET_KERNEL void each(Grip<F>& a, const Visit& visit) {
    visit(a.touched);
    each(a.hold, visit);
    visit(a.sticks);
    each(a.exit, visit);
    visit(a.most);
    visit(a.least);
}

template <class F>
struct Strand {
    int rows, segments;  // of the longest strand of the block
    Rows3<F> x, v, omega, lambda, strain, anchor;
    Rows4<F> q_start;  // frames at the start of the substep
    Rows3<F> x_out, v_out, omega_out;
    Rows4<F> q_out;
    Rows4<F> q;  // frames as solved so far
    Rows1<F> hardness, touched;
    Rows3<F> u;       // m, displacement by the guard
    Rows4<F> q_free;  // frames turned without torques
    Rows1<F> free;    // m, that the vertex may go without meeting a body
    Rows1<F> met;     // 1 where a vertex may meet a body, else 0; a row with any has press and grip
    ConstRows1<F> w, length, bend, inertia, gap, last;
    ConstRows4<F> turn;
    ConstRows3<F> root, tip;
    RowsOf<F, Eliminated<F>> factor;
    RowsOf<F, Press<F>> press;
    RowsOf<F, Grip<F>> grip;
    float* prefetch_buffer;
    Rows1<F> lately, repaired, strain_limited;

    Rigid<F> head;  // pose of the skin at the root at the end of the substep
    Vec3<F> force;  // m/s^2, RodUniforms::force over M

    RINGLET_KERNEL Strand(const RodUniforms& p, const RodBlock& b)
        : rows(b.rows),
          segments(b.rows - 1),
          x{b.x},
          v{b.v},
          omega{b.omega},
          lambda{b.lambda},
          strain{b.strain},
          anchor{b.anchor},
          q_start{b.q},
          x_out{kOnGpu ? b.x_out : b.x},
          v_out{kOnGpu ? b.v_out : b.v},
          omega_out{kOnGpu ? b.omega_out : b.omega},
          q_out{kOnGpu ? b.q_out : b.q},
          q{kOnGpu ? b.q_out : scratch_of(b, 8)},
          hardness{b.hardness},
          touched{b.touched},
          u{scratch_of(b, 0)},
          q_free{scratch_of(b, 3)},
          free{scratch_of(b, 7)},
          met{kOnGpu ? b.near : scratch_of(b, 12)},
          w{b.w},
          length{b.length},
          bend{b.bend},
          inertia{b.inertia},
          gap{b.gap},
          last{b.last},
          turn{b.turn},
          root{b.root},
          tip{b.tip},
          factor{scratch_of(b, 13)},
          press{scratch_of(b, 13 + kRodSolveScratch)},
          grip{scratch_of(b, 13 + kRodSolveScratch + kRodPressScratch)},
          prefetch_buffer{b.prefetch_buffer},
          lately{b.lately},
          repaired{b.repaired},
          strain_limited{b.strain_limited},
          head(root_pose<F>(p.head, b.pose)),
          force(splat<F>(p.force) * load<F>(b.per_kg)) {}

    // The channel of scratch that so many floats a row come before.
    RINGLET_KERNEL static float* scratch_of(const RodBlock& b, int before) {
        return b.scratch + before * b.rows * kRowWidth;
    }

    // The force that pulls vertex i back: lambda_{i-1} - lambda_i.
    RINGLET_KERNEL Vec3<F> pull(int i) const {
        return (i > 0 ? lambda[i - 1] : zero_vec3<F>()) - lambda[i];
    }
};

// What a vertex has when nothing else acts on it, and where it goes: held ones where they must.
template <class F>
RINGLET_KERNEL Vec3<F> free_velocity(const RodUniforms& p, const Strand<F>& s, Vec3<F> v, F w) {
    return select(w > F(0), v + (splat<F>(p.gravity) + s.force * w) * F(p.h), zero_vec3<F>());
}

template <class F>
RINGLET_KERNEL Vec3<F> free_move(const RodUniforms& p, const Strand<F>& s, int i, Vec3<F> x,
                                 Vec3<F> v, F w) {
    if (i == 0 && p.holds_roots) return apply(s.head, s.root[0]) - x;
    const Vec3<F> move = free_velocity(p, s, v, w) * F(p.h);
    if (i == 0 || !p.holds_tips) return move;
    const auto is_tip = abs(s.last[0] - F(static_cast<float>(i))) < F(0.5f);
    return select(is_tip, apply(s.head, s.tip[0]) - x, move);
}

}  // namespace rod

}  // namespace ringlet
