// Polygons into triangles.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

// Appends the n - 2 triangles of a polygon of n >= 3 corners, as corner numbers, wound as it is.
// Concave polygons are covered once and not beyond their outline if they are nearly flat, do not
// cross themselves and have at most kMaxConcaveCorners; any others still give n - 2 triangles.
void triangulate(std::span<const Vec3f> corners, std::vector<std::array<int, 3>>& triangles);

// Cutting ears takes time quadratic in the corners and more, so it must end somewhere.
inline constexpr int kMaxConcaveCorners = 1024;

}  // namespace ringlet
