// Turbulent air velocity as a sum of plane waves, which is free of divergence. sim/wind.cpp chooses
// the waves; docs/wind.md explains the choice.
#pragma once

#include "math/vec3.h"

namespace ringlet {

// A plane wave of air velocity. `velocity` is perpendicular to `waves`: zero divergence.
struct AirWave {
    Vec3f waves;     // 1/m, wave vector in cycles per metre
    float phase;     // in cycles, 0 to 1
    Vec3f velocity;  // m/s, amplitude
};

namespace wind {

// The mean square of `wave` over one period.
inline constexpr float kMeanSquare = 8.0f / 15;

// A periodic wave between -1 and 1 with period 1, made of parabolas with a continuous slope. It
// costs a fifth of a sine.
template <class F>
RINGLET_KERNEL F wave(F at) {
    const F large = F(12582912);  // 1.5 * 2^23: adding it rounds to an integer
    const F within = at - ((at + large) - large);
    const F p = min(max(within, F(-0.5f)), F(0.5f));
    return p * (F(8) - F(16) * abs(p));
}

// Air velocity at x in m/s: the mean wind plus all waves.
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
