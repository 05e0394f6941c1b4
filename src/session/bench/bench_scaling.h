// Reports of `bench --scaling`: time per vertex by the number of strands and by vertices per
// strand, and memory by kind.
#pragma once

#include "ringlet/bench.h"

namespace ringlet {

// The number of strands varies at kScalingVertices per strand; the vertices per strand vary at
// kScalingStrands strands.
inline constexpr int kScalingVertices = 32, kScalingStrands = 10000;

// A plot of the time per vertex over the number of strands and over the vertices per strand.
std::string scaling_svg(const Bench& bench);
// Times and memory as Markdown tables.
std::string scaling_tables(const Bench& bench);

}  // namespace ringlet
