// What the air, and a hand in the viewer, do to the velocities of free vertices in a substep,
// before a model moves them: the same for every model, the same text for one lane or eight, CPU or
// GPU. sim/wind.cpp prepares what it works on; docs/wind.md has the reasons.
//
// Drag takes what a vertex has against the air exponentially, so it is stable for any step:
//   v = a + (e^{-h c} (1 - t t^T) + e^{-h c r} t t^T) (v - a)
// with a the air there, c across the strand (`sim.damping`), r c along its tangent t.
#pragma once

#include "math/air_waves.h"
#include "math/elementary.h"
#include "strand/block_channels.h"
#include "strand/rows.h"

namespace ringlet {

inline constexpr int kMaxAirWaves = 24;

// What is the same for every strand in a substep.
struct WindUniforms {
    Vec3f wind;         // m/s, the same everywhere
    float drag;         // h c
    float drag_along;   // h c r
    float decay;        // e^{-drag}
    float decay_along;  // e^{-drag_along}
    float shelter;      // share of the drag that hair as dense as groomed is spared
    int first_free;     // vertices before it are held by the head
    int held_tips;      // vertices at the end of a strand that are
    int wave_count;
    AirWave waves[kMaxAirWaves];

    // A hand: the axis of where it reaches, from a to b.
    Vec3f push_a, push_b;
    float push_radius;  // m; 0: there is none
    Vec3f push;         // m/s, at the axis
};

// The channels of one block, from vertex 0 and the first lane concerned.
struct WindBlock {
    int rows;
    const float* x;        // m
    float* v;              // m/s
    const float* end;      // one row: vertices from this on are not free; held tip, or padding
    const float* density;  // of hair, 1 as groomed; null where nothing is sheltered
    int from = 0, to = 1 << 30;  // rows wanted, as far as there are any: none waits for another

    static constexpr int kScratch = 0;

    template <class Visit>
    RINGLET_KERNEL void visit(const Visit& visit) {
        visit(x, 3, Per::row);
        visit(v, 3, Per::row);
        visit(end, 1, Per::block);
        visit(density, 1, Per::row);
    }
};

namespace wind {

template <class F>
RINGLET_KERNEL Vec3<F> air_at(const WindUniforms& p, Vec3<F> x) {
    return air_at(p.wind, p.waves, p.wave_count, x);
}

// Full at the axis, nothing from the radius on, smooth in between.
template <class F>
RINGLET_KERNEL Vec3<F> push_at(const WindUniforms& p, Vec3<F> x) {
    const Vec3f axis = p.push_b - p.push_a;
    const F along =
        dot(x - splat<F>(p.push_a), splat<F>(axis)) * F(1 / max(dot(axis, axis), kTiny));
    const Vec3<F> apart = x - splat<F>(p.push_a) - splat<F>(axis) * min(max(along, F(0)), F(1));
    const F left = max(F(1) - dot(apart, apart) * F(1 / (p.push_radius * p.push_radius)), F(0));
    return splat<F>(p.push) * (left * left);
}

// Along the strand at vertex i of `count`; zero where it has none.
template <class F>
RINGLET_KERNEL Vec3<F> tangent_at(ConstRows3<F> x, int i, int rows, F count) {
    const Vec3<F> here = x[i];
    Vec3<F> after = here;
    if (i + 1 < rows) after = select(F(static_cast<float>(i + 1)) < count, x[i + 1], here);
    return unit_or(after - (i > 0 ? x[i - 1] : here), zero_vec3<F>());
}

}  // namespace wind

template <class F>
RINGLET_KERNEL void wind_substep(const WindUniforms& p, const WindBlock& block) {
    const ConstRows3<F> x{block.x};
    const Rows3<F> v{block.v};
    const F end = load<F>(block.end), count = end + F(static_cast<float>(p.held_tips));
    const int last = block.to < block.rows ? block.to : block.rows;
    for (int i = block.from > p.first_free ? block.from : p.first_free; i < last; ++i) {
        F across = F(p.decay), along = F(p.decay_along);
        if (block.density) {
            const F density = min(ConstRows1<F>{block.density}[i], F(1));
            const F felt = F(p.shelter) * density - F(1);
            across = exp(F(p.drag) * felt);
            along = exp(F(p.drag_along) * felt);
        }
        const Vec3<F> air = p.wave_count > 0 ? wind::air_at(p, x[i]) : splat<F>(p.wind);
        const Vec3<F> before = v[i], relative = before - air;
        Vec3<F> after = air + relative * across;
        if (p.drag_along != p.drag) {
            const Vec3<F> t = wind::tangent_at(x, i, block.rows, count);
            after += t * (dot(t, relative) * (along - across));
        }
        if (p.push_radius > 0) after += wind::push_at(p, x[i]);
        v.set(i, select(F(static_cast<float>(i)) < end, after, before));
    }
}

}  // namespace ringlet
