// Inextensible Kirchhoff rod: one substep of the strands of a block, a backward Euler step or a
// stage of a second-order step (sim/kernels/sdirk2.h). One direct solve covers all lengths, bends
// and twists of a strand (rod_solve.h). The same source serves one lane or eight, CPU or GPU.
// rod.cpp prepares the data; docs/models/rod.md has the derivation.
//
// The unknowns of a solve are a small rotation of each frame q and a change of each force lambda;
// the vertices follow from lambda. Stretch and shear are constraints, bending and twist are
// energies, contact with bodies changes the inverse mass of vertices (rod_contact.h).
#pragma once

#include "sim/models/rod_solve.h"

namespace ringlet {

// Relative stretch beyond which lengths are clamped, and beyond which forces are reset too.
inline constexpr float kRodMaxStretch = 0.01f, kRodResetStretch = 0.2f;

// Limit (rad) of an extrapolated strain: half a turn, forth and back.
inline constexpr float kMaxStrain = 12;

namespace rod {

// New contacts or sudden motion may need more than `solves` Newton steps; strands that have not
// converged get up to `extra_solves` further steps. Returns the lanes that continue after the n-th.
template <class F, class M>
RINGLET_KERNEL M find_unconverged(const RodUniforms& p, int n, M unconverged, F error) {
    const bool checks =
        n + 1 == p.solves || (n + 1 > p.solves && n + 1 < p.solves + p.extra_solves);
    return checks ? unconverged && (error > F(0)) : unconverged;
}

// Strands whose motion the first stage does not resolve.
template <class F>
RINGLET_KERNEL Mask<F> is_unresolved(const Outcome<F>& outcome) {
    return outcome.unconverged || (outcome.turn > F(kMaxResolvedTurn * kMaxResolvedTurn));
}

// Whether a first attempt leaves the strand to a second one after the n-th Newton step: it needs
// more of them, or finish_strand() would write its state again. If many strands of a warp do, it is
// faster to complete them together.
template <class F>
RINGLET_KERNEL bool gives_up(const RodUniforms& p, const Strand<F>& s, int n,
                             const Outcome<F>& outcome) {
    if (s.attempt != Attempt::first || n + 1 != p.solves) return false;
    const bool is_slow = any(outcome.unconverged) || any(outcome.unsound) ||
                         (p.stage == StepStage::first && any(is_unresolved(outcome)));
    return are_few_in_warp(is_slow) && is_slow;
}

// Sets Outcome::is_given_up where the strand is left to a second attempt.
template <class K, class W, class F>
RINGLET_KERNEL Outcome<F> solve(const RodUniforms& p, Strand<F>& s) {
    Outcome<F> out;
    for (int n = 0; n < p.solves + p.extra_solves && any(out.unconverged); ++n) {
        out.unconverged = find_unconverged(p, n, out.unconverged, newton_step<K, W>(p, s, n, out));
        s.use_solved_forces();
        if ((out.is_given_up = gives_up(p, s, n, out))) break;
    }
    return out;
}

// The same with bodies. Contacts are found before each of the first contact_searches() steps; the
// other steps reuse their planes.
template <class K, class F>
RINGLET_KERNEL Outcome<F> solve_with_bodies(const RodUniforms& p, Strand<F>& s) {
    Outcome<F> out;
    for (int n = 0; n < p.solves + p.extra_solves && any(out.unconverged); ++n) {
        if (n < contact_searches(p)) {
            out.near_end = find_contacts(p, s, n, out.impact);
            // A warp solves its strands together, as if all of them were in contact.
            out.touches = any_in_warp(out.near_end > 0);
        }
        const F error = out.touches ? newton_step<K, Sym3<F>>(p, s, n, out)
                                    : newton_step<K, Same3<F>>(p, s, n, out);
        out.unconverged = find_unconverged(p, n, out.unconverged, error);
        s.use_solved_forces();
        if ((out.is_given_up = gives_up(p, s, n, out))) break;
    }
    return out;
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

// Makes s.u hold the displacements. On the CPU the last solve has stored them.
template <class W, class F>
RINGLET_KERNEL void find_displacements(const RodUniforms& p, const Strand<F>& s) {
    if constexpr (kOnGpu) {
        for (int i = 0; i < s.rows; ++i)
            s.u.set(i, Vertex<F, W>(p, VertexView<F>{s, i}, s.pull(i)).moved);
    }
}

// Strain limiting for strands that have not converged, for instance after a jump of the root.
// Resets the forces of strands stretched beyond kRodResetStretch. Returns where it acted. s.u
// holds the displacements.
template <class F>
RINGLET_OUTLINED Mask<F> limit_strain(const Strand<F>& s) {
    F stretch = F(0);
    for (int i = 0; i < s.segments; ++i)
        stretch = max_stretch(stretch, (s.x[i + 1] - s.x[i]) + (s.u[i + 1] - s.u[i]), s.length[i]);
    const auto limited = stretch > F(kRodMaxStretch);
    if (!any(limited)) return limited;
    if (s.strain_limited.at) s.strain_limited.set(0, select(limited, F(1), s.strain_limited[0]));
    clamp_lengths(s, limited);
    const auto resets = stretch > F(kRodResetStretch);
    for (int i = 0; i < s.segments; ++i)
        s.lambda.set(i, select(resets, zero_vec3<F>(), s.lambda[i]));
    return limited;
}

// Holds segments that the solve would let through a thin body. Restoring the lengths must not pull
// them through either, so both alternate, and contact comes last. Returns where it acted.
template <class F>
RINGLET_OUTLINED Mask<F> hold_strand(const RodUniforms& p, const Strand<F>& s) {
    const Mask<F> held = hold_segments(p, s);
    Mask<F> moves = held;
    for (int n = 1; n < kHoldRounds && any(moves); ++n) {
        clamp_lengths(s, moves);
        const Mask<F> again = hold_segments(p, s);
        moves = moves && again;
    }
    return held;
}

// Contacts are compliant and follow the forces of the first stage, so a long step may take a vertex
// deep into a body. Moves such vertices back to the depth at which they started and restores the
// lengths from root to tip, which is not possible where the tip is held too. Returns where it
// acted. `near_end`: see Outcome. `is_stored`: s.u holds the displacements; otherwise the last
// solve has written s.x_out.
template <class W, class F>
RINGLET_OUTLINED Mask<F> limit_depth(const RodUniforms& p, const Strand<F>& s, int near_end,
                                     bool is_stored) {
    Mask<F> acts = F(1) < F(0);
    if (p.holds_tips) return acts;
    for (int i = 0; i < near_end; ++i) {
        const Mask<F> may = may_sink(p, s, i);
        if (!any(may)) continue;
        const Vec3<F> end = is_stored ? s.x[i] + s.u[i] : s.x_out[i];
        const Vec3<F> push = push_out_of_bodies(p, s, i, end);
        acts = acts || (may && (dot(push, push) > F(0)));
    }
    if (!any(acts)) return acts;
    if (!is_stored) find_displacements<W>(p, s);
    for (int i = 0; i < near_end; ++i) {
        const Mask<F> may = may_sink(p, s, i);
        if (!any(may)) continue;
        const Vec3<F> push = push_out_of_bodies(p, s, i, s.x[i] + s.u[i]);
        s.u.set(i, select(may, s.u[i] + push, s.u[i]));
    }
    clamp_lengths(s, acts);
    return acts;
}

// Converts the forces to the units of the next substep. Those of an impact do not last: in the next
// search for contacts they would predict paths that no vertex takes.
template <class F>
RINGLET_KERNEL void carry_forces_over(const RodUniforms& p, const Strand<F>& s, Mask<F> resets) {
    if (p.force_scale == 1 && !any(resets)) return;
    const F scale = select(resets, F(0), F(p.force_scale));
    for (int i = 0; i < s.segments; ++i) s.lambda.set(i, s.lambda[i] * scale);
}

// Finishes the substep. On a GPU the last solve has written the state, which is only rewritten if
// displacements were corrected, if a strand must not be extrapolated, or if a value is out of
// range.
template <class W, class F>
RINGLET_OUTLINED void finish_strand(const RodUniforms& p, const Strand<F>& s,
                                    const Outcome<F>& outcome) {
    const bool is_first = p.stage == StepStage::first;
    const Mask<F> unresolved = is_unresolved(outcome);
    Mask<F> limited = F(1) < F(0), falls_back = outcome.impact || outcome.spins;
    const bool is_stored = !kOnGpu || any(outcome.unconverged) || p.has_thin_bodies;
    if (is_stored) find_displacements<W>(p, s);
    if (any(outcome.unconverged)) limited = limit_strain(s);
    if (p.stage == StepStage::second && outcome.touches) {
        const Mask<F> sinks = limit_depth<W>(p, s, outcome.near_end, is_stored);
        limited = limited || sinks;
    }
    if (p.has_thin_bodies) {
        const Mask<F> held = hold_strand(p, s);
        limited = limited || held;
    }
    if (is_first) falls_back = falls_back || unresolved;
    // Contact between strands predicts the next substep from the forces.
    const Mask<F> resets_forces = outcome.impact || (falls_back && !s.meets_strand);
    if (is_first) falls_back = falls_back || s.meets_strand;
    const bool is_limited = any(limited);
    if (!kOnGpu || is_limited || (is_first && any(unresolved)) || any(outcome.unsound)) {
        StageEnd<F> end(p, s, falls_back, limited);
        for (int i = s.segments; i >= 0; --i) {
            const VertexView<F> at{s, i};
            const Vec3<F> moved =
                kOnGpu && !is_limited ? Vertex<F, W>(p, at, s.pull(i)).moved : s.u[i];
            end.set(i, at, contact_of<W>(at), moved, s.lambda[i], s.q[i]);
        }
        s.repaired.set(0, max(s.repaired[0], end.repaired));
    }
    if (projects_velocities(p)) project_velocities(p, s);
    if (is_first) s.falls_back.set(0, select(falls_back, F(1), F(0)));
    carry_forces_over(p, s, p.stage == StepStage::whole ? F(1) < F(0) : resets_forces);
}

// Stores the strain for the damping of the next substep; extrapolates it after the first stage.
template <class F>
RINGLET_KERNEL void store_strain(const RodUniforms& p, const Strand<F>& s) {
    const bool is_first = p.stage == StepStage::first;
    const F ahead =
        is_first ? select(s.falls_back[0] > F(0), F(0), F(sdirk2::kExtrapolation)) : F(0);
    Quat<F> before = s.head.rotation;
    for (int i = 0; i < s.segments; ++i) {
        const Quat<F> q = is_first ? s.q[i] : s.q_out[i];
        const Vec3<F> strain =
            rotate(conjugate(q), log_map(q * conjugate(before * s.rest_rotation[i])));
        before = q;
        if (!is_first) {
            s.strain.set(i, strain);
            continue;
        }
        const Vec3<F> start = s.strain[i], next = strain + (strain - start) * ahead;
        s.strain.set(i, select(is_within(next, F(kMaxStrain)), next, start));
    }
}

// These two return whether the strand is complete (Attempt).
template <class F>
RINGLET_KERNEL bool move_without_bodies(const RodUniforms& p, Strand<F>& s) {
    const Outcome<F> outcome = solve<Axial3<F>, F>(p, s);
    if (outcome.is_given_up) return false;
    finish_strand<F>(p, s, outcome);
    return true;
}

template <class K, class F>
RINGLET_KERNEL bool move_with_bodies(const RodUniforms& p, Strand<F>& s) {
    const Outcome<F> outcome = solve_with_bodies<K>(p, s);
    if (outcome.is_given_up) return false;
    if (outcome.touches)
        finish_strand<Sym3<F>>(p, s, outcome);
    else
        finish_strand<Same3<F>>(p, s, outcome);
    if (p.collider_count > 0) finish_contacts(p, s, outcome.near_end);
    return true;
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
        if (variant == RodUniforms::with_bodies) p.has_thin_bodies = false;
    }

    // Few strands need more than `solves` Newton steps.
    static constexpr bool kCanGiveUp = true;

    template <class F>
    RINGLET_KERNEL static bool substep(const RodUniforms& p, const RodBlock& block) {
        rod::Strand<F> s(p, block);
        const bool is_complete =
            p.kind == RodUniforms::without_bodies ? rod::move_without_bodies(p, s)
            : p.kind == RodUniforms::any_section  ? rod::move_with_bodies<Sym3<F>>(p, s)
                                                  : rod::move_with_bodies<Axial3<F>>(p, s);
        if (is_complete && p.rayleigh_rate > 0) rod::store_strain(p, s);
        return is_complete;
    }
};

}  // namespace ringlet
