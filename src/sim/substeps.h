// The times of the substeps of a step.
//
// A step of length dt has `count` substeps of equal length. In a second-order model, each pair of
// them is the two stages of a second-order step H = 2 dt/count (sim/kernels/sdirk2.h), which end at
// g H and at H; if the count is odd, the last substep is a backward Euler step.
#pragma once

#include "sim/kernels/sdirk2.h"

namespace ringlet {

struct SubstepTimes {
    StepStage stage = StepStage::whole;
    double begin = 0, end = 0;  // in units of dt/count, from the start of the step
    float h = 0;                // s, length of the model's backward Euler step
    float span = 0;             // s, from its start to its end
    float whole_h = 0;          // s, of the second-order step that it belongs to, or h
    int whole_index = 0;        // of that second-order step in the step
};

inline SubstepTimes substep_times(float dt, int count, bool is_second_order, int index) {
    const float each = dt / static_cast<float>(count);
    if (!is_second_order)
        return {StepStage::whole, index + 0.0, index + 1.0, each, each, each, index};
    const int pair = index / 2;
    if (index % 2 == 0 && index + 1 == count)
        return {StepStage::whole, index + 0.0, index + 1.0, each, each, each, pair};
    const float h = 2 * sdirk2::kGamma * each;
    const double start = 2 * pair, middle = start + 2 * static_cast<double>(sdirk2::kGamma);
    if (index % 2 == 0) return {StepStage::first, start, middle, h, h, 2 * each, pair};
    return {StepStage::second, middle, start + 2, h, 2 * each - h, 2 * each, pair};
}

// The number of steps that the substeps form.
inline int whole_step_count(int count, bool is_second_order) {
    return is_second_order ? (count + 1) / 2 : count;
}

}  // namespace ringlet
