// Triangulates polygons.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

// Appends the n - 2 triangles of a polygon of n >= 3 corners, as corner indices, with the polygon's
// winding. The triangles of a concave polygon cover it exactly if it is nearly planar, does not
// intersect itself and has at most kMaxConcaveCorners; otherwise there are still n - 2 triangles.
void triangulate(std::span<const Vec3f> corners, std::vector<std::array<int, 3>>& triangles);

// Bounds the time of ear clipping, which is quadratic in the corners or worse.
inline constexpr int kMaxConcaveCorners = 1024;

}  // namespace ringlet
