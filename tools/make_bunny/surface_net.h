#pragma once

#include <array>
#include <vector>

#include "animals.h"

// Quads over the zero set of a distance, counter-clockwise seen from outside: a vertex in each cell
// of a grid that the surface crosses (Gibson 1998, "Constrained elastic surface nets"), spread
// evenly over it and laid onto it.
struct QuadMesh {
    std::vector<Vec3> positions;
    std::vector<std::array<int, 4>> quads;
};

QuadMesh surface_net(const Animal& animal);

// Unit, out of the surface.
Vec3 surface_normal(const Animal& animal, Vec3 p);
