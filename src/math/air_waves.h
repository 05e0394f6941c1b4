// Air that moves by plane waves: none is made or lost, wherever they meet. sim/wind.cpp says which
// waves turbulence has, docs/wind.md why these.
#pragma once

#include "math/vec3.h"

namespace ringlet {

// A plane wave of the air's velocity. `velocity` is across `waves`, so that no air is made or lost.
struct AirWave {
    Vec3f waves;     // 1/m
    float phase;     // in waves, 0 to 1
    Vec3f velocity;  // m/s, at its crest
};

namespace wind {

// Of `wave`, over a whole one.
inline constexpr float kMeanSquare = 8.0f / 15;

// From -1 to 1 once per unit, of parabolas with one slope where they meet. Any wave would keep the
// air's volume; this one costs a fifth of a sine.
template <class F>
RINGLET_KERNEL F wave(F at) {
    const F large = F(12582912);  // 1.5 * 2^23: nothing added to it has digits below 1
    const F within = at - ((at + large) - large);
    const F p = min(max(within, F(-0.5f)), F(0.5f));
    return p * (F(8) - F(16) * abs(p));
}

// A mean wind and what the waves add to it at x, m/s.
template <class F>
RINGLET_KERNEL Vec3<F> air_at(Vec3f mean, const AirWave* waves, int count, Vec3<F> x) {
    Vec3<F> out = splat<F>(mean);
    for (int n = 0; n < count; ++n) {
        const AirWave& one = waves[n];
        out += splat<F>(one.velocity) * wave(dot(splat<F>(one.waves), x) + F(one.phase));
    }
    return out;
}

}  // namespace wind

}  // namespace ringlet
