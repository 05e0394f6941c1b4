// Statistics of a run, accumulated over its steps.
#pragma once

#include "ringlet/session.h"
#include "session/live/actor.h"

namespace ringlet {

class RunStatistics {
public:
    // Begins a step; then add() each actor in order; then end_step().
    void begin_step();
    void add(const StepOutcome& actor, int simulated_strands);
    void end_step();

    // The members of Report that are measured per step; the rest is empty.
    const Report& totals() const { return totals_; }
    // All numbers that end_step() changes.
    MemorySpans changing_memory();
    // All actors at the end of the last step.
    const Measurement& last_step() const { return last_; }

private:
    Report totals_;
    Measurement last_;
    double sum_stretch_ = 0;
    std::int64_t segment_count_ = 0;
    std::int64_t strain_limited_ = 0;  // in this step
    int first_strand_ = 0;             // of the next actor to be added
};

}  // namespace ringlet
