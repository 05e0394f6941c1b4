// Benchmarks of one question each: the speed-up over a textbook implementation, the cost of
// contact, the time of a frame.
#pragma once

#include "session/bench/bench_race.h"

namespace ringlet {

struct BenchRun {
    Bench& out;
    BenchGroomer& groomer;
    const BenchOptions& options;
    const TaskPool& pool;  // all cores, for growing
};

// pbd against textbook implementation A, plain and with a virtual solve() per constraint.
Result<void> race_pbd(const BenchRun& run);
// ftl with hair-hair coupling against a textbook implementation with a dense grid.
Result<void> race_ftl(const BenchRun& run);
// The rod model's solves per second, without contact and with every strand in contact.
Result<void> rod_rates(const BenchRun& run);
// The cost that the grid and colliders add to the rod model, near the bust and far from it.
Result<void> rod_costs(const BenchRun& run);
// The default scene at 10,000 strands of 32 vertices, on all cores.
Result<void> frame_budget(const BenchRun& run);

}  // namespace ringlet
