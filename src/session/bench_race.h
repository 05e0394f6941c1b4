// Programs that step hair, and how long they take: side by side, so that what else the machine does
// meets them all alike.
#pragma once

#include <functional>

#include "ringlet/bench.h"
#include "session/bench_hair.h"

namespace ringlet {

// One program and one head of hair. To measure a further backend, make one of these.
struct Contender {
    BenchRow row;  // who it is; `race` fills in the rest
    int substeps = 1;
    double dt = 0;  // s, of time in a step
    std::int64_t vertices = 0;
    std::function<double()> step;          // advances by dt; returns the seconds that took
    std::function<Measurement()> measure;  // at the end of a step
    std::function<std::string()> hash;
    std::function<double()> touching{};  // share of strands that touch a body
    std::vector<double> seconds{};       // of each step
};

struct BenchSimulation {
    Simulation simulation;
    TaskPool pool;
};

// Ringlet itself, all but how a step is timed.
Contender contender_of(const std::shared_ptr<BenchSimulation>& state, const BenchHair& hair,
                       BenchWorld world);

// Ringlet's own CPU code on that many threads. Times are CPU time on one thread, else wall clock.
// The hair comes to rest for `settle` seconds before.
Contender ringlet_on_cpu(const BenchHair& hair, BenchWorld world, int threads, double settle = 0);

// Steps them in turn, once unmeasured and then `frames` times, and fills their rows.
void race(std::vector<Contender>& contenders, int frames, const BenchMachine& machine);

// How many frames give a steady median in a second or so.
int frames_for(std::int64_t vertices);

double median(std::vector<double> values);

}  // namespace ringlet
