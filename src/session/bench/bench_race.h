// Times programs that simulate hair. Their steps alternate, so that other load on the machine
// affects all of them equally.
#pragma once

#include <functional>

#include "ringlet/bench.h"
#include "session/bench/bench_hair.h"

namespace ringlet {

// One program with one head of hair. To measure another backend, construct one of these.
struct Contender {
    BenchRow row;  // name and sizes; race() fills in the measurements
    int substeps = 1;
    double dt = 0;  // s, simulated time per step
    std::int64_t vertices = 0;
    std::function<double()> step;          // advances by dt; returns the seconds it took
    std::function<Measurement()> measure;  // called at the end of each step
    std::function<std::string()> hash;
    std::function<double()> touching{};  // fraction of strands that touch a collider
    std::vector<double> seconds{};       // per step
};

struct BenchSimulation {
    Simulation simulation;
    TaskPool pool;
};

// Ringlet itself, without `step`, which the caller sets.
Contender contender_of(const std::shared_ptr<BenchSimulation>& state, const BenchHair& hair,
                       BenchWorld world);

// Ringlet's CPU code on that many threads. Times are CPU time on one thread, otherwise wall-clock
// time. The hair first settles for `settle` seconds.
Contender ringlet_on_cpu(const BenchHair& hair, BenchWorld world, int threads, double settle = 0);

// Steps all contenders alternately, once to warm up and then `frames` times, and fills their rows.
void race(std::vector<Contender>& contenders, int frames, const BenchMachine& machine);

// The number of frames that gives a stable median within about a second.
int frames_for(std::int64_t vertices);

double median(std::vector<double> values);

}  // namespace ringlet
