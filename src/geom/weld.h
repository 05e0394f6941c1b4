// Vertices that were split for UVs or normals, found by their position.
#pragma once

#include <cstdint>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

// For each vertex the first vertex at the same position. -0 and 0 are the same.
std::vector<std::uint32_t> weld_positions(const std::vector<Vec3f>& positions);

}  // namespace ringlet
