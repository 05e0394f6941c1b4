// Measures free oscillations of single strands: sag, frequency and decay.
#pragma once

#include <string_view>
#include <vector>

#include "sim/models/registry.h"
#include "validate/lab.h"

namespace ringlet {

// Where a strand starts and how it is released: it comes to rest under `pull` times gravity along
// `direction` in addition to gravity, which then ends.
struct Release {
    std::vector<Vec3f> strand;
    Vec3f direction;
    float pull = 0.05f;
    double seconds = 3;
};

struct Swing {
    double sag = 0;        // m, of the tip below its groomed position before the release
    double frequency = 0;  // 1/s; NaN if it does not oscillate
    double decay = 0;      // s, in which the amplitude falls to 1/e
    // s, in which the root of the kinetic energy falls to 1/e. An exchange of energy between modes
    // changes it less.
    double energy_decay = 0;
};

SimSettings settings_of(std::string_view model);

// A chain of 0.3 m, a strand of 0.1 m clamped horizontally, and a curl of 0.2 m.
Release pendulum_release();
Release beam_release();
Release curl_release();

// A short straight hair held out sideways, a wave, a curl and a coil.
struct HairType {
    const char* name;
    Release release;
};
std::vector<HairType> hair_types();

// A hanging curl of a given helix radius, pitch and height (m), which set the frequency of its
// bounce.
Release hanging_curl(float radius, float pitch, float height);

Swing measure(const SimSettings& settings, const Release& release);

// Energy of a limp chain of 0.3 m, 2 s after its release at 60 degrees, over that at its release.
double energy_left(SimSettings settings);
// The part of its energy that a pendulum of one segment loses in 20 s after its release at 90
// degrees.
double pendulum_loss(SimSettings settings);
// The part of its angular momentum that a free curl, which turns once a second, loses in 1 s.
double spin_loss(SimSettings settings);

}  // namespace ringlet
