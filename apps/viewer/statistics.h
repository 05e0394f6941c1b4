// Measurements of the last few seconds, for the plots.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "render_gl/renderer.h"
#include "session/control/control.h"

namespace ringlet {

// A ring of the most recent values, oldest first.
class Series {
public:
    Series() = default;
    explicit Series(std::size_t most) : most_(most) {}
    void add(float value);
    const std::vector<float>& values() const { return values_; }
    float last() const { return values_.empty() ? 0 : values_.back(); }
    float highest() const;
    // Mean of the last `count` values, so that displayed numbers change slowly enough to read.
    float mean(std::size_t count = 30) const;

private:
    std::size_t most_ = 240;
    std::vector<float> values_;
};

// The part that limits the frame rate, and how long a frame takes without the other parts, in ms.
struct FrameLimit {
    std::string what;
    float ms = 0;
};

struct Statistics {
    Series frame_ms, draw_ms, step_ms;
    Series steps_ms;         // all steps of a frame
    Series stretch_percent;  // largest stretch of any segment
    Series penetrating;      // number of vertices inside colliders
    struct Stage {
        std::string name;
        Series ms;
    };
    std::vector<Stage> stages;
    struct Pass {
        std::string name;
        Series gpu_ms, cpu_ms;
    };
    std::vector<Pass> passes;  // render passes, in order
    bool drawn_from_gpu = false;

    // The simulation, drawing on the CPU, the slowest pass on the GPU, or the display. CPU and GPU
    // work at the same time; the simulation and drawing on the CPU follow each other.
    FrameLimit limit() const;
    // Adds the steps between two readings, if any.
    void add_steps(const StepStatistics& before, const StepStatistics& after);
    void add_stage(const std::string& name, float ms);
    // Clears the history when the list of passes changes.
    void add_passes(std::span<const PassTime> times);
};

}  // namespace ringlet
