// What every model prepares and reports alike.
#pragma once

#include "sim/models/registry.h"

namespace ringlet {

// The gap each vertex keeps to bodies: the one it was groomed with, up to sim.collision_radius or
// sim.keep_gap, whichever is more, and down to twice that radius inside: bodies are rough stand-ins
// for the skin. So no groom is pushed about where it stands; a keep_gap stands for the hair
// underneath that holds it up.
Channel<1> gaps_to_bodies(const ModelStart& start);

// The lowest strand marked in `repaired` (a row per block: the vertex repaired, or -1) with its
// vertex, or (-1, -1); clears the marks.
std::pair<int, int> take_first_repaired(std::vector<float>& repaired, const StrandLayout& layout);

// For ModelProfile::set_stiffness: 0.001 at 0, 1 in the middle, 1000 at 1.
float six_decades(float along);

// How many are marked with 1; clears the marks.
int take_marked(std::vector<float>& marks);

}  // namespace ringlet
