#include "viewer/statistics.h"

#include <algorithm>
#include <numeric>

namespace ringlet {

void Series::add(float value) {
    if (values_.size() == most_) values_.erase(values_.begin());
    values_.push_back(value);
}

float Series::highest() const {
    return values_.empty() ? 0 : *std::max_element(values_.begin(), values_.end());
}

float Series::mean(std::size_t count) const {
    const auto among = static_cast<std::ptrdiff_t>(std::min(count, values_.size()));
    if (among == 0) return 0;
    return std::accumulate(values_.end() - among, values_.end(), 0.0f) / static_cast<float>(among);
}

FrameLimit Statistics::limit() const {
    // A frame that takes longer than its work by this factor waits for the display.
    constexpr float kWaiting = 1.25f;
    const float steps = steps_ms.mean(), drawing = draw_ms.mean(), cpu = steps + drawing;
    float gpu = 0;
    const Pass* slowest = nullptr;
    for (const Pass& pass : passes) {
        gpu += pass.gpu_ms.mean();
        if (!slowest || pass.gpu_ms.mean() > slowest->gpu_ms.mean()) slowest = &pass;
    }
    const float work = std::max(cpu, gpu);
    if (frame_ms.mean() > kWaiting * work) return {"the display", work};
    if (slowest && gpu > cpu) return {"the GPU, most in " + slowest->name, work};
    return {steps > drawing ? "the simulation" : "drawing on the CPU", work};
}

void Statistics::add_steps(const StepStatistics& before, const StepStatistics& after) {
    const int steps = after.steps - before.steps;
    steps_ms.add(steps > 0 ? static_cast<float>((after.seconds - before.seconds) * 1000) : 0);
    if (steps <= 0) return;
    step_ms.add(static_cast<float>((after.seconds - before.seconds) * 1000 / steps));
    for (const StepStatistics::Stage& stage : after.stages)
        add_stage(stage.name, static_cast<float>(stage.ms));
    stretch_percent.add(static_cast<float>(after.max_stretch * 100));
    penetrating.add(static_cast<float>(after.penetrating_vertices));
}

void Statistics::add_stage(const std::string& name, float ms) {
    auto found = std::find_if(stages.begin(), stages.end(),
                              [&](const Stage& stage) { return stage.name == name; });
    if (found == stages.end()) found = stages.insert(found, {name, Series()});
    found->ms.add(ms);
}

void Statistics::add_passes(std::span<const PassTime> times) {
    const bool same =
        std::equal(times.begin(), times.end(), passes.begin(), passes.end(),
                   [](const PassTime& time, const Pass& pass) { return pass.name == time.name; });
    if (!same) {
        passes.clear();
        for (const PassTime& time : times) passes.push_back({time.name, Series(), Series()});
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
        passes[i].gpu_ms.add(static_cast<float>(times[i].gpu_ms));
        passes[i].cpu_ms.add(static_cast<float>(times[i].cpu_ms));
    }
}

}  // namespace ringlet
