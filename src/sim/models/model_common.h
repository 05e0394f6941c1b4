// Functions that all models share.
#pragma once

#include "sim/models/registry.h"
#include "strand/strand_channel.h"

namespace ringlet {

// The distance (m) each vertex keeps to bodies: its groomed distance, at most sim.collision_radius
// or sim.keep_gap, whichever is larger, and at least minus twice sim.collision_radius, because
// bodies approximate the skin. With sim.keep_style it has no lower limit: move_out_of_bodies() has
// moved the strands out as far as their roots permit. A groom in contact therefore starts at rest.
// sim.keep_gap represents the hair underneath.
Channel<1> gaps_to_bodies(const ModelStart& start);

// Returns the first strand with a repaired vertex and the index of that vertex, or (-1, -1), and
// resets all entries to -1. `repaired` holds the index of a repaired vertex per strand, or -1.
std::pair<int, int> collect_first_repaired(StrandChannel<1>& repaired);

// For ModelProfile::set_stiffness: 0.001 at 0, 1 in the middle, 1000 at 1.
float six_decades(float along);

// Returns the number of strands whose flag is 1, and resets all flags to 0.
int collect_flag_count(StrandChannel<1>& flags);

}  // namespace ringlet
