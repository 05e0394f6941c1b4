// How good a state is: stretch, penetration, broken numbers. Measured at frame ends, where the
// strands are: of a device's only the figures come back, and they are those of the CPU.
#pragma once

#include "sim/block_kernel.h"
#include "sim/kernels/measure_kernel.h"
#include "sim/model.h"

namespace ringlet {

struct Measurement {
    double max_stretch = 0;  // |length - rest| / rest over all segments; zero lengths left out
    double sum_stretch = 0;
    std::int64_t segment_count = 0;
    double stretch_p99 = 0;      // what 99 of 100 strands stay below, each by its largest stretch
    double max_penetration = 0;  // m below a collider's surface
    std::int64_t penetrating_vertices = 0;
    std::int64_t nonfinite_vertices = 0;
};

class Measurer {
public:
    Measurer(const LayoutRef& layout, const SimSettings& settings, LaneKind lanes);

    // Held vertices do not count as penetrating: where the head puts them is not the solver's
    // doing. Where there is a device, the state is what it has, and `colliders` are its own.
    Measurement measure(const SimState& state, const Model& model,
                        std::span<const PlacedCollider> colliders, const TaskPool& pool,
                        Device* device);

private:
    MeasuredFigures add_up(const TaskPool& pool) const;

    int held_;
    std::vector<float> count_, found_;  // per block
    BlockKernel<MeasureUniforms, MeasureBlock> kernel_;
};

}  // namespace ringlet
