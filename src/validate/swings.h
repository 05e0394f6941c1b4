// Swings that several checks measure: chains and pendulums let go, and their frequencies.
#pragma once

#include "validate/check.h"
#include "validate/lab.h"

namespace ringlet::lab {

// One number per step, per strand.
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

// The period of a swing about 0 sampled every dt, from its downward zero crossings: the mean of as
// many periods as there are, at most `most`. Not a number with less than one.
double period_of(std::span<const double> samples, double dt, int most = 1000);

// The shape of a mode of a hanging chain of equal segments, root to tip, the tip at 1: each vertex
// from the two below it, at the given omega sqrt(L/g). `end_mass` is the tip's over the others'.
std::vector<double> chain_mode(int segments, double end_mass, double omega);

// The angular frequency, times sqrt(L/g), of a limp strand let go in that mode with a tip offset of
// 1 % of its length, projected back on the mode.
double chain_frequency(const CheckRun& run, int segments, double omega, double h);

}  // namespace ringlet::lab
