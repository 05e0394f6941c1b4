// Races that answer one question each: how many times faster than a textbook, what contact costs,
// whether a frame is in time.
#pragma once

#include "session/bench_race.h"

namespace ringlet {

struct BenchRun {
    Bench& out;
    BenchGroomer& groomer;
    const BenchOptions& options;
    const TaskPool& pool;  // of all cores, to grow on
};

// pbd beside system A as a textbook has it, and as objects with a virtual solve().
Result<void> race_pbd(const BenchRun& run);
// ftl with hair against hair beside a textbook with a dense grid.
Result<void> race_ftl(const BenchRun& run);
// The rod's solves per second, without contact and with every strand in contact.
Result<void> rod_rates(const BenchRun& run);
// What grid and bodies add to the rod, with hair on the bust and with nothing near.
Result<void> rod_costs(const BenchRun& run);
// The default scene's motion at 10,000 x 32, on all cores.
Result<void> frame_budget(const BenchRun& run);

}  // namespace ringlet
