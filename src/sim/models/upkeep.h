// What every model prepares and reports alike.
#pragma once

#include "sim/models/registry.h"

namespace ringlet {

// The gap each vertex keeps to bodies: sim.collision_radius, or its groomed height above them up to
// sim.keep_gap, which stands for the hair underneath that holds it there. Empty where all keep
// sim.collision_radius.
Channel<1> gaps_to_bodies(const ModelStart& start);

// The lowest strand marked in `repaired` (a row per block: the vertex repaired, or -1) with its
// vertex, or (-1, -1); clears the marks.
std::pair<int, int> take_first_repaired(std::vector<float>& repaired, const StrandLayout& layout);

}  // namespace ringlet
