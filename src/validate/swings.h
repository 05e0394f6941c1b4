// Oscillations, their frequencies and their decay, for several checks.
#pragma once

#include "validate/check.h"
#include "validate/lab.h"

namespace ringlet::lab {

// One value per step, per strand.
using Series = std::vector<std::vector<double>>;

// Steps for `seconds` and samples every strand after each step.
template <class Sample>
Series record(Simulation& simulation, double seconds, const TaskPool& tasks, Sample sample) {
    const int strands = simulation.state().x.layout().strand_count();
    Series out(static_cast<std::size_t>(strands));
    const int steps =
        static_cast<int>(std::lround(seconds / static_cast<double>(simulation.settings().dt)));
    for (int k = 0; k < steps; ++k) {
        simulation.step(tasks);
        for (int s = 0; s < strands; ++s)
            out[static_cast<std::size_t>(s)].push_back(sample(simulation, s));
    }
    return out;
}

// A step of 1/60 s with the model's usual substeps, and (rod) one solve per substep.
inline SimSettings at_usual_step(SimSettings settings) {
    settings.dt = 1.0f / 60;
    settings.rod.solves = 1;
    return settings;
}

// The limit of small steps.
inline SimSettings at_small_steps(SimSettings settings) {
    settings.dt = 1.0f / 960;
    settings.substeps = 8;
    return settings;
}

// The mean period of an oscillation about 0, sampled every dt, from its downward zero crossings:
// over at most `most` periods. NaN if there is no full period.
double period_of(std::span<const double> samples, double dt, int most = 1000);

// Frequency (rad/s, of the undamped mode) and damping ratio of one mode.
struct Oscillation {
    double omega, zeta;
};

// From samples of an oscillation about 0, by the linear recurrence that they satisfy.
Oscillation oscillation_of(std::span<const double> samples, double dt);

// The time (s) in which an oscillation about 0 decays to 1/e: the slope of the logarithm of its
// mean square over `period` (s), down to `last` of its first amplitude. NaN if it does not decay.
double decay_of(std::span<const double> samples, double dt, double period, double last = 0.01);

// The shape of a mode of a hanging chain of equal segments, from root to tip, with 1 at the tip,
// for omega sqrt(L/g). `end_mass` is the mass of the tip over that of the other vertices.
std::vector<double> chain_mode(int segments, double end_mass, double omega);

// The angular frequency, times sqrt(L/g), of a limp strand released in that mode with a tip offset
// of 1 % of its length, projected onto the mode.
double chain_frequency(const CheckRun& run, int segments, double omega, double h);

}  // namespace ringlet::lab
