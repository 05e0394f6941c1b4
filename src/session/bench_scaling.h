// What `bench --scaling` found, for readers: how the cost of a vertex changes with the number of
// strands and with their vertices, and where memory goes.
#pragma once

#include "ringlet/bench.h"

namespace ringlet {

// Strands of that many vertices are counted up to a million, and this many strands are refined.
inline constexpr int kScalingVertices = 32, kScalingStrands = 10000;

// One picture: time per vertex over strands, and over the vertices of a strand.
std::string scaling_svg(const Bench& bench);
// The same and memory as tables, in Markdown.
std::string scaling_tables(const Bench& bench);

}  // namespace ringlet
