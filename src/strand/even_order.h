// An order of strands in which every beginning is spread evenly over the head.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

// The place of each root in that order: bit reversal of the places on a Morton curve, so that the
// first half are every second one on the curve, the first quarter every fourth, and so on.
std::vector<std::int32_t> even_order(std::span<const Vec3f> roots);

}  // namespace ringlet
