// Morton codes, for sorting points so that neighbours in memory are close in space.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

// Returns the 30-bit Morton code of each point within the points' bounding box.
std::vector<std::uint32_t> morton_codes(std::span<const Vec3f> points);

}  // namespace ringlet
