// Points in an order in which neighbours in memory are near in space.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

// The place of each point along a space-filling curve through their bounding box (30 bits).
std::vector<std::uint32_t> morton_codes(std::span<const Vec3f> points);

}  // namespace ringlet
