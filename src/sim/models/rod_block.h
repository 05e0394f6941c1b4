// What the rod's kernels work on: the numbers common to all strands in a substep, the channels of a
// block, and the strand as the kernels see it. rod.cpp fills them.
//
// State: vertices x, v; per segment a frame q (its third axis d is the segment's direction), its
// angular velocity omega, and the force lambda it carries, kept from substep to substep.
//
// Units: masses are relative to the strand's mean vertex mass M, and inside a substep forces are
// multiplied by h^2/M (metres), torques and joint stiffness by h^2/M (m^2). At hair's scale
// (EI 8e-9 N m^2, M 6e-8 kg) that keeps every block within a few powers of ten of l^2 or 1, far
// from the ends of float, for any mass and stiffness with the same ratio.
#pragma once

#include "collide/collider.h"
#include "sim/kernels/block_solve.h"
#include "sim/kernels/root_pose.h"
#include "sim/kernels/rotation_maps.h"
#include "strand/block_channels.h"
#include "strand/rows.h"

namespace ringlet {

// What is the same for every strand in a substep.
struct RodUniforms {
    float h;     // s, length of the substep
    int solves;  // Newton steps in it
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

    RINGLET_KERNEL bool is_round() const { return about_wide == about_narrow; }
};

// Per segment, for the way back of a solve: inverse pivot, eliminated right side.
inline constexpr int kRodSolveScratch = 27;
// Per vertex in contact (rod_contact.h).
inline constexpr int kRodContactScratch = 19;

// The channels of one block, from vertex 0 and the first lane concerned; null where the settings
// make no use of them. Row i of a segment's channel belongs to the segment from vertex i to i + 1,
// or to the joint at its root end.
struct RodBlock {
    int rows;
    float* x;              // m
    float* v;              // m/s
    float* q;              // frames of the segments; those at the start until all is solved
    float* omega;          // rad/s
    float* lambda;         // m/s^2, force in the segment over M; 0 beyond the last segment
    float* strain;         // rad, rotation vector of the joint in its segment's frame, for damping
    float* hardness;       // contact: its stiffness over M/h^2, growing while it lasts
    float* anchor;         // m, contact: the place friction holds on to
    float* touched;        // contact: whose collider the anchor is on, or -1
    const float* w;        // M over the vertex's mass; 0 where held and for padding
    const float* length;   // m, to the next vertex; -1 where there is none
    const float* bend;     // m^2/s^2, EI / (M l) of the joint; 0 where there is none
    const float* inertia;  // m^2, of the segment over M
    const float* turn;     // rest rotation from the frame before; row 0: from the head's frame
    const float* gap;      // m, kept to bodies
    const float* root;     // m, one row: place of vertex 0 in the head's own frame
    const float* pose;     // kPoseRows rows, of the skin under the root (root_pose.h)
    const float* tip;      // m, one row: place of the last vertex in the head's own frame
    const float* last;     // one row: the last vertex
    const float* per_kg;   // 1/kg, one row: 1/M
    float* scratch;        // rows * kScratch
    float* repaired;       // one row: first vertex whose numbers had to be repaired, or -1
    float* guarded;        // one row: 1 where the guard put lengths right; null: nobody asks

    // Per vertex, with the displacement, the frames now and without torque, and how far the vertex
    // may go before it meets a body.
    static constexpr int kScratch = 12 + kRodSolveScratch + kRodContactScratch;

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
        visit(per_kg, 1, Per::block);
        visit(pose, kPoseRows, Per::block);
        visit(scratch, kScratch, Per::run);
        visit(repaired, 1, Per::block);
        visit(guarded, 1, Per::block);
    }
};

namespace rod {

template <class F>
struct Strand {
    int rows, segments;  // of the longest strand of the block
    Rows3<F> x, v, omega, lambda, strain, anchor;
    Rows4<F> q;
    Rows1<F> hardness, touched;
    Rows3<F> u;                // m, displacement in this substep without internal forces
    Rows4<F> q_start, q_free;  // frames at its start, and turned without torques
    Rows1<F> free;             // m, that the vertex may go without meeting a body
    ConstRows1<F> w, length, bend, inertia, gap, last, per_kg;
    ConstRows4<F> turn;
    ConstRows3<F> root, tip;
    float *solve_scratch, *contact_scratch;
    Rows1<F> repaired, guarded;

    Rigid<F> head;  // pose of the skin at the root at the end of the substep

    RINGLET_KERNEL Strand(const RodUniforms& p, const RodBlock& b)
        : rows(b.rows),
          segments(b.rows - 1),
          x{b.x},
          v{b.v},
          omega{b.omega},
          lambda{b.lambda},
          strain{b.strain},
          anchor{b.anchor},
          q{b.scratch + 3 * b.rows * kRowWidth},
          hardness{b.hardness},
          touched{b.touched},
          u{b.scratch},
          q_start{b.q},
          q_free{b.scratch + 7 * b.rows * kRowWidth},
          free{b.scratch + 11 * b.rows * kRowWidth},
          w{b.w},
          length{b.length},
          bend{b.bend},
          inertia{b.inertia},
          gap{b.gap},
          last{b.last},
          per_kg{b.per_kg},
          turn{b.turn},
          root{b.root},
          tip{b.tip},
          solve_scratch{b.scratch + 12 * b.rows * kRowWidth},
          contact_scratch{b.scratch + (12 + kRodSolveScratch) * b.rows * kRowWidth},
          repaired{b.repaired},
          guarded{b.guarded},
          head(root_pose<F>(p.head, b.pose)) {}

    // The force that pulls vertex i back: lambda_{i-1} - lambda_i.
    RINGLET_KERNEL Vec3<F> pull(int i) const {
        return (i > 0 ? lambda[i - 1] : zero_vec3<F>()) - lambda[i];
    }
};

}  // namespace rod

}  // namespace ringlet
