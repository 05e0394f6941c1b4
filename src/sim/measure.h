// How good a state is: stretch, penetration, broken numbers. Measured at frame ends.
#pragma once

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

// Held vertices do not count as penetrating: where the head puts them is not the solver's doing.
Measurement measure(const SimState& state, const Model& model, const SimSettings& settings,
                    std::span<const PlacedCollider> colliders, const TaskPool& pool);

}  // namespace ringlet
