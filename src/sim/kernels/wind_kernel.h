// Changes the velocities of free vertices by drag and by a local push in a substep, before a model
// moves them. sim/wind.cpp prepares the channels; docs/wind.md explains the method.
//
// The velocity relative to the air decays exponentially, which is stable for any step:
//   v = a + (e^{-h c} (1 - t t^T) + e^{-h c r} t t^T) (v - a)
// with the air velocity a, the damping c across the strand (`sim.damping`) and r c along its
// tangent t. With slender-body drag both rates depend on the velocity at the start of the substep.
#pragma once

#include "math/air_waves.h"
#include "math/elementary.h"
#include "sim/kernel_protocol.h"
#include "sim/kernels/slender_drag.h"
#include "strand/rows.h"

namespace ringlet {

inline constexpr int kMaxAirWaves = 24;

// Constants of a substep.
struct WindUniforms {
    Vec3f wind;          // m/s, uniform in space
    float drag;          // h c
    float drag_along;    // h c r
    float decay;         // e^{-drag}
    float decay_along;   // e^{-drag_along}
    float shelter;       // reduction of drag at the groomed density
    int first_free;      // vertices before it are held by the head
    int held_tips;       // vertices at the end of a strand held by the head
    float slender_rate;  // h times the damping by a resistance of 1; 0: drag is simple
    float reynolds;      // of a strand at 1 m/s
    int wave_count;
    AirWave waves[kMaxAirWaves];

    // The axis of the local push, from a to b.
    Vec3f push_a, push_b;
    float push_radius;  // m; 0: no push
    Vec3f push;         // m/s, on the axis
};

// The channels of one block, from vertex 0 and the current lane.
struct WindBlock {
    int rows;
    const float* x;              // m
    float* v;                    // m/s
    const float* end;            // one row: index after the last free vertex
    const float* slender;        // three rows: SlenderStrand; null if drag is simple
    const float* density;        // of hair, 1 as groomed; null without shelter
    int from = 0, to = 1 << 30;  // range of rows to process

    template <class Visit>
    RINGLET_KERNEL void visit(const Visit& visit) {
        visit(x, 3, Per::row);
        visit(v, 3, Per::row);
        visit(end, 1, Per::block);
        visit(slender, 3, Per::block);
        visit(density, 1, Per::row);
    }
};

namespace wind {

template <class F>
RINGLET_KERNEL Vec3<F> air_at(const WindUniforms& p, Vec3<F> x) {
    return air_at(p.wind, p.waves, p.wave_count, x);
}

// The push at x: full on the axis, smoothly falling to zero at the radius.
template <class F>
RINGLET_KERNEL Vec3<F> push_at(const WindUniforms& p, Vec3<F> x) {
    const Vec3f axis = p.push_b - p.push_a;
    const F along =
        dot(x - splat<F>(p.push_a), splat<F>(axis)) * F(1 / max(dot(axis, axis), kTiny));
    const Vec3<F> apart = x - splat<F>(p.push_a) - splat<F>(axis) * min(max(along, F(0)), F(1));
    const F left = max(F(1) - dot(apart, apart) * F(1 / (p.push_radius * p.push_radius)), F(0));
    return splat<F>(p.push) * (left * left);
}

// The unit tangent at vertex i of `count`; zero where it is undefined.
template <class F>
RINGLET_KERNEL Vec3<F> tangent_at(ConstRows3<F> x, int i, int rows, F count) {
    const Vec3<F> here = x[i];
    Vec3<F> after = here;
    if (i + 1 < rows) after = select(F(static_cast<float>(i + 1)) < count, x[i + 1], here);
    return unit_or(after - (i > 0 ? x[i - 1] : here), zero_vec3<F>());
}

// The fractions of the relative velocity across and along a strand that a substep leaves.
template <class F>
struct Decay {
    F across, along;
};

// `felt` is minus the fraction of the drag that shelter leaves.
template <class F>
RINGLET_KERNEL Decay<F> slender_decay(const WindUniforms& p, const WindBlock& block,
                                      Vec3<F> relative, Vec3<F> t, F felt) {
    const Vec3<F> rows = ConstRows3<F>{block.slender}[0];
    const SlenderStrand<F> strand{rows.x, rows.y, rows.z};
    const F along = dot(t, relative), across = norm(relative - t * along);
    const F rate = F(p.slender_rate) * felt;
    return {exp(rate * slender::resistance_across(strand, F(p.reynolds) * across)),
            exp(rate * slender::resistance_along(strand, abs(along)))};
}

// The velocity of vertex i after drag in a substep.
template <class F>
RINGLET_KERNEL Vec3<F> after_drag(const WindUniforms& p, const WindBlock& block, int i, F count,
                                  Vec3<F> air) {
    const Vec3<F> relative = Rows3<F>{block.v}[i] - air;
    Decay<F> decay{F(p.decay), F(p.decay_along)};
    F felt = F(-1);
    if (block.density) {
        felt = F(p.shelter) * min(ConstRows1<F>{block.density}[i], F(1)) - F(1);
        decay = {exp(F(p.drag) * felt), exp(F(p.drag_along) * felt)};
    }
    const bool is_slender = p.slender_rate > 0;
    if (!is_slender && p.drag_along == p.drag) return air + relative * decay.across;
    const Vec3<F> t = wind::tangent_at(ConstRows3<F>{block.x}, i, block.rows, count);
    if (is_slender) decay = slender_decay(p, block, relative, t, felt);
    const Vec3<F> after = air + relative * decay.across;
    return after + t * (dot(t, relative) * (decay.along - decay.across));
}

template <class F>
RINGLET_KERNEL void change_velocities(const WindUniforms& p, const WindBlock& block) {
    const ConstRows3<F> x{block.x};
    const Rows3<F> v{block.v};
    const F end = load<F>(block.end), count = end + F(static_cast<float>(p.held_tips));
    const int last = block.to < block.rows ? block.to : block.rows;
    for (int i = block.from > p.first_free ? block.from : p.first_free; i < last; ++i) {
        const Vec3<F> air = p.wave_count > 0 ? wind::air_at(p, x[i]) : splat<F>(p.wind);
        Vec3<F> after = after_drag(p, block, i, count, air);
        if (p.push_radius > 0) after += wind::push_at(p, x[i]);
        v.set(i, select(F(static_cast<float>(i)) < end, after, v[i]));
    }
}

}  // namespace wind

struct WindKernel : KernelDefaults {
    using Uniforms = WindUniforms;
    using Block = WindBlock;
    static constexpr bool kHasIndependentRows = true;

    template <class F>
    RINGLET_KERNEL static void substep(const WindUniforms& uniforms, const WindBlock& block) {
        wind::change_velocities<F>(uniforms, block);
    }
};

}  // namespace ringlet
