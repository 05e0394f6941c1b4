#pragma once

#include <array>
#include <vector>

#include "animals.h"

// Quads over the zero set of a distance, counter-clockwise seen from outside. Each grid cell that
// the surface crosses has one vertex (Gibson 1998, "Constrained elastic surface nets"), smoothed
// along the surface and projected onto it.
struct QuadMesh {
    std::vector<Vec3> positions;
    std::vector<std::array<int, 4>> quads;
};

QuadMesh surface_net(const Animal& animal);

// Unit outward normal.
Vec3 surface_normal(const Animal& animal, Vec3 p);
