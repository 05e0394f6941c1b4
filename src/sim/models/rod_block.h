// The data of the rod's kernels: the uniforms of a substep, the channels of a block, and a view of
// the strand. rod.cpp fills them.
//
// State: vertices x, v; per segment a frame q (its third axis d is the segment's direction), its
// angular velocity omega, and the force lambda in it, which carries over between substeps.
//
// Units of the solve: masses are relative to the strand's mean vertex mass M. Forces are multiplied
// by h^2/M (m), torques and joint stiffness as well (m^2). At the scale of hair (EI 8e-9 N m^2,
// M 6e-8 kg) every block is within a few powers of ten of l^2 or 1, far from the limits of float.
#pragma once

#include "collide/collider.h"
#include "sim/kernel_protocol.h"
#include "sim/kernels/block_solve.h"
#include "sim/kernels/root_pose.h"
#include "sim/kernels/rotation_maps.h"
#include "sim/kernels/sdirk2.h"
#include "strand/row_stream.h"

namespace ringlet {

// The same for every strand in a substep.
struct RodUniforms {
    StepStage stage;
    float h;           // s, length of the backward Euler step; g H in the stages of a step H
    float span;        // s, time from the start to the end of the substep, for bodies and roots
    int solves;        // Newton steps
    int extra_solves;  // further Newton steps for strands that have not converged
    Vec3f gravity, force;
    float spin_decay;  // e^{-c h}: damping of the angular velocity by the air; once per step H
    // Stiffness of a joint over `bend`: about the cross section's wide axis, about its narrow axis,
    // and in twist. A circular cross section has 1, 1 and GJ / EI.
    float about_wide, about_narrow, twist;
    // beta / h: damping of the joints in units of their stiffness; and the same for the strands
    // that take the second stage as a long step.
    float rayleigh_rate, long_rayleigh_rate;
    float force_scale;  // from the units of lambda in this substep to those in the next
    bool holds_roots;   // vertex 0 follows the head
    bool holds_tips;    // the last vertex follows the head
    Rigidf head;        // pose at the end of the substep
    // Stiffness of a contact over M/h^2, where h is half a step H: initial value and limit.
    float contact_start, contact_limit;
    const PlacedCollider* colliders;
    int collider_count;
    bool has_thin_bodies;  // some collide with segments too (collide/segment_contact.h)

    // Variants of the kernel. The GPU compiler optimises each of them separately.
    enum Kind { without_bodies, with_bodies, with_thin_bodies, any_section };
    static constexpr int kKinds = 4;
    int kind;
};

// Floats per segment for back substitution: inverse pivot, eliminated right side.
inline constexpr int kRodSolveScratch = 27;
// Floats per vertex in contact: for the solve, and for the end of the substep.
inline constexpr int kRodContactMassScratch = 9, kRodFrictionScratch = 10;

// The channels of one block, at vertex 0 and the first lane; null if the settings do not use them.
// Row i of a segment's channel belongs to the segment from vertex i to i + 1, or to the joint at
// its root end.
struct RodBlock {
    int rows;
    float* x;               // m
    float* v;               // m/s
    float* q;               // frames of the segments at the start of the substep
    float* omega;           // rad/s
    float* lambda;          // m, force in the segment in solver units; 0 after the last segment
    float* strain;          // rad, rotation vector of the joint in the segment's frame, for damping
    float* hardness;        // contact: stiffness over M/h^2, grows while the contact lasts
    float* anchor;          // m, contact: anchor point of static friction; between the stages of
                            // a step, of a vertex without contact: its position in the first stage
    float* anchor_body;     // contact: index of the collider of the anchor, or -1
    float* recent_contact;  // one row: 0 if no vertex had a contact in the last substep
    float* falls_back;      // one row: 1 if the strand takes its second stage as a long step
    const float* w;         // M over the vertex's mass; 0 if held and in padding
    const float* length;    // m, to the next vertex; -1 after the last vertex
    const float* bend;      // m^2/s^2, EI / (M l) of the joint; 0 if there is no joint
    const float* inertia;   // m^2, of the segment over M
    const float* rest_rotation;  // from the previous frame; row 0: from the head's frame
    const float* gap;            // m, distance kept to bodies
    const float* root;           // m, one row: position of vertex 0 in the head's frame
    const float* pose;           // kPoseRows rows: pose of the skin at the root (root_pose.h)
    const float* tip;            // m, one row: position of the last vertex in the head's frame
    const float* last;           // one row: index of the last vertex
    const float* per_kg;         // 1/kg, one row: 1/M
    const float* meets_strand;   // one row: 1 if the strand meets another one in this step
    float* scratch;              // rows * kScratch
    float* repaired;             // one row: first repaired vertex, or -1
    float* strain_limited;       // one row: 1 if the strain limit acted; may be null
    // GPU: double-buffered results, so that every solve can finish the substep and a further one
    // can still start from the old state. The CPU writes in place in a separate pass, which stays
    // in the cache.
    float *x_out = nullptr, *v_out = nullptr, *q_out = nullptr, *omega_out = nullptr;
    float* lambda_out = nullptr;
    float* near = nullptr;  // GPU: 1 if a vertex may touch a body, else 0 (RodKernel::row_pass)
    float* prefetch_buffer =
        nullptr;  // GPU: shared memory for prefetched rows (strand/row_stream.h)
    Attempt attempt = Attempt::only;

    // Floats per vertex, with displacement, current frame, torque-free frame, clearance and
    // in_contact.
    static constexpr int kScratch =
        13 + kRodSolveScratch + kRodContactMassScratch + kRodFrictionScratch;
    // Floats of shared memory: the largest row of rod_kernel.h.
    static constexpr int kPrefetchFloats = 57 * kStreamSlots;

    template <class Visit>
    RINGLET_KERNEL void visit(const Visit& visit) {
        for (float** channel : {&x, &v, &omega, &lambda, &strain, &anchor})
            visit(*channel, 3, Per::row);
        for (float** channel : {&hardness, &anchor_body}) visit(*channel, 1, Per::row);
        for (const float** channel : {&w, &length, &bend, &inertia, &gap})
            visit(*channel, 1, Per::row);
        visit(q, 4, Per::row);
        visit(rest_rotation, 4, Per::row);
        visit(root, 3, Per::block);
        visit(tip, 3, Per::block);
        visit(last, 1, Per::block);
        visit(recent_contact, 1, Per::block);
        visit(falls_back, 1, Per::block);
        visit(per_kg, 1, Per::block);
        visit(meets_strand, 1, Per::block);
        visit(pose, kPoseRows, Per::block);
        visit(scratch, kScratch, Per::run);
        visit(repaired, 1, Per::block);
        visit(strain_limited, 1, Per::block);
        for (float** channel : {&x_out, &v_out, &omega_out, &lambda_out})
            visit(*channel, 3, Per::row);
        visit(q_out, 4, Per::row);
        visit(near, 1, Per::row);
    }
};

namespace rod {

// A row of the eliminated system, for back substitution.
template <class F>
struct EliminatedRow {
    PivotInverse<F> pivot;
    BlockVector<F> side;
};

// A vertex in contact, in the solve.
template <class F>
struct ContactMass {
    Sym3<F> w;  // inverse mass
    Vec3<F> u;  // m, displacement without internal forces
};

// Its contact after the solve.
template <class F>
struct FrictionState {
    F body;                  // index of the collider, or -1
    Vec3<F> hold;            // m; sticking: the anchor; sliding: from the new anchor to the vertex
    F sticks;                // 1 or 0
    Vec3<F> normal;          // if the vertex started inside or bounces, else 0
    F max_speed, min_speed;  // m/s along the normal: limits the exit, or makes it bounce
};

// A segment in the projection of velocities (rod_stage.h), after elimination.
template <class F>
struct ProjectionRow {
    Vec3<F> d;     // direction
    F rate;        // right side over the pivot
    F over_pivot;  // 0 if the segment takes no part
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
RINGLET_KERNEL void each(EliminatedRow<F>& a, const Visit& visit) {
    each(a.pivot.a, visit);
    each(a.pivot.b.x, visit);
    each(a.pivot.b.y, visit);
    each(a.pivot.b.z, visit);
    each(a.pivot.c, visit);
    each(a.side.angle, visit);
    each(a.side.multiplier, visit);
}
template <class F, class Visit>
RINGLET_KERNEL void each(ContactMass<F>& a, const Visit& visit) {
    each(a.w, visit);
    each(a.u, visit);
}
template <class F, class Visit>
RINGLET_KERNEL void each(FrictionState<F>& a, const Visit& visit) {
    visit(a.body);
    each(a.hold, visit);
    visit(a.sticks);
    each(a.normal, visit);
    visit(a.max_speed);
    visit(a.min_speed);
}

template <class F, class Visit>
RINGLET_KERNEL void each(ProjectionRow<F>& a, const Visit& visit) {
    each(a.d, visit);
    visit(a.rate);
    visit(a.over_pivot);
}

// Values of Strand::in_contact: the vertex touches no body, may touch one, touches one, or would be
// deep in one at the end of the step if it moved on as in the first stage.
inline constexpr float kFar = 0, kNear = 1, kTouching = 2, kDeep = 3;

// (h / p.h)^2 of a long step.
inline constexpr float kLongScale = sdirk2::kLongStage * sdirk2::kLongStage;

template <class F>
using Mask = decltype(F(0) < F(1));

template <class F>
struct Strand {
    int rows, segments;  // of the longest strand in the block
    Rows3<F> x, v, omega;
    Rows3<F> lambda;  // at the start of the substep, then of the last solve
    Rows3<F> strain, anchor;
    Rows4<F> q_start;  // frames at the start of the substep
    Rows3<F> x_out, v_out, omega_out, lambda_out;
    Rows4<F> q_out;
    Rows4<F> q;  // current frames
    Rows1<F> hardness, anchor_body;
    Rows3<F> u;           // m, displacement after the last solve or strain limiting
    Rows4<F> q_free;      // frames rotated without torques
    Rows1<F> clearance;   // m, distance a vertex can move without touching a body
    Rows1<F> in_contact;  // kFar to kDeep; rows above kFar have contact_mass and
                          // friction_state
    ConstRows1<F> w, length, bend, inertia, gap, last;
    ConstRows4<F> rest_rotation;
    ConstRows3<F> root, tip;
    RowsOf<F, EliminatedRow<F>> factor;
    RowsOf<F, ContactMass<F>> contact_mass;
    RowsOf<F, FrictionState<F>> friction_state;
    // At the end of a stage, in the memory of q_free and clearance, which the solves need no more.
    RowsOf<F, ProjectionRow<F>> projection;
    float* prefetch_buffer;
    Attempt attempt;
    bool is_first_solve = true;  // GPU: what is_first() returns
    Rows1<F> recent_contact, falls_back, repaired, strain_limited;

    Rigid<F> head;         // pose of the skin at the root at the end of the substep
    Vec3<F> force;         // m/s^2, RodUniforms::force over M
    Mask<F> meets_strand;  // it meets another one before the end of the step

    // The step of the strand: p.h, or p.span if it takes the second stage as a long step.
    Mask<F> takes_long_step;
    F h, over_h;
    F w_scale, inertia_scale;  // (h / p.h)^2 and its inverse: lambda is in units of p.h
    F rayleigh_rate;

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
          lambda_out{kOnGpu ? b.lambda_out : b.lambda},
          q_out{kOnGpu ? b.q_out : b.q},
          // The first stage ends by writing extrapolated frames, after which the GPU may solve
          // again.
          q{kOnGpu && p.stage != StepStage::first ? b.q_out : scratch_of(b, 8)},
          hardness{b.hardness},
          anchor_body{b.anchor_body},
          u{scratch_of(b, 0)},
          q_free{scratch_of(b, 3)},
          clearance{scratch_of(b, 7)},
          in_contact{kOnGpu ? b.near : scratch_of(b, 12)},
          w{b.w},
          length{b.length},
          bend{b.bend},
          inertia{b.inertia},
          gap{b.gap},
          last{b.last},
          rest_rotation{b.rest_rotation},
          root{b.root},
          tip{b.tip},
          factor{scratch_of(b, 13)},
          contact_mass{scratch_of(b, 13 + kRodSolveScratch)},
          friction_state{scratch_of(b, 13 + kRodSolveScratch + kRodContactMassScratch)},
          projection{scratch_of(b, 3)},
          prefetch_buffer{b.prefetch_buffer},
          attempt(b.attempt),
          recent_contact{b.recent_contact},
          falls_back{b.falls_back},
          repaired{b.repaired},
          strain_limited{b.strain_limited},
          head(root_pose<F>(p.head, b.pose)),
          force(splat<F>(p.force) * load<F>(b.per_kg)),
          meets_strand(b.meets_strand ? load<F>(b.meets_strand) > F(0) : F(1) < F(0)),
          takes_long_step(p.stage == StepStage::second ? load<F>(b.falls_back) > F(0)
                                                       : F(1) < F(0)),
          h(select(takes_long_step, F(p.span), F(p.h))),
          over_h(select(takes_long_step, F(1 / p.span), F(1 / p.h))),
          w_scale(select(takes_long_step, F(kLongScale), F(1))),
          inertia_scale(select(takes_long_step, F(1 / kLongScale), F(1))),
          rayleigh_rate(select(takes_long_step, F(p.long_rayleigh_rate), F(p.rayleigh_rate))) {}

    // The channel of scratch memory after `before` floats per row.
    RINGLET_KERNEL static float* scratch_of(const RodBlock& b, int before) {
        return b.scratch + before * b.rows * kRowWidth;
    }

    // After a solve: `lambda` are its forces.
    RINGLET_KERNEL void use_solved_forces() {
        if constexpr (kOnGpu) lambda = lambda_out;
    }

    // Whether this solve is the first one of the substep. On a CPU each case is compiled
    // separately, as kFirst says. On a GPU both share their code, because warps that run different
    // parts of long code wait for instructions.
    template <bool kFirst>
    RINGLET_KERNEL bool is_first() const {
        if constexpr (kOnGpu)
            return is_first_solve;
        else
            return kFirst;
    }

    // The internal force on vertex i, reversed: lambda_{i-1} - lambda_i.
    RINGLET_KERNEL Vec3<F> pull(int i) const {
        return (i > 0 ? lambda[i - 1] : zero_vec3<F>()) - lambda[i];
    }
};

// Whether the head may hold vertex i: the root, or any other that may be a tip.
RINGLET_KERNEL bool may_be_held(const RodUniforms& p, int i) {
    return i == 0 ? p.holds_roots : p.holds_tips;
}

// Whether the head holds vertex i.
template <class F>
RINGLET_KERNEL Mask<F> is_held(const RodUniforms& p, const Strand<F>& s, int i) {
    if (!may_be_held(p, i)) return F(1) < F(0);
    if (i == 0) return F(0) < F(1);
    return abs(s.last[0] - F(static_cast<float>(i))) < F(0.5f);
}

// The velocity of a vertex without internal forces after the time h; 0 if held.
template <class F>
RINGLET_KERNEL Vec3<F> free_velocity(const RodUniforms& p, const Strand<F>& s, Vec3<F> v, F w,
                                     F h) {
    return select(w > F(0), v + (splat<F>(p.gravity) + s.force * w) * h, zero_vec3<F>());
}

// The displacement of a vertex without internal forces in the time h. Held vertices follow the
// head.
template <class F>
RINGLET_KERNEL Vec3<F> free_move(const RodUniforms& p, const Strand<F>& s, int i, Vec3<F> x,
                                 Vec3<F> v, F w, F h) {
    if (i == 0 && p.holds_roots) return apply(s.head, s.root[0]) - x;
    const Vec3<F> move = free_velocity(p, s, v, w, h) * h;
    if (i == 0 || !p.holds_tips) return move;
    return select(is_held(p, s, i), apply(s.head, s.tip[0]) - x, move);
}

}  // namespace rod

}  // namespace ringlet
