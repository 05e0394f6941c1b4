// Inside test for the points of a grid, by counting the crossings of rays with the mesh.
#pragma once

#include <cstdint>
#include <vector>

#include "geom/mesh.h"

namespace ringlet {

struct GridShape {
    Vec3f low;
    float cell;   // m
    int size[3];  // samples along each axis, x fastest

    std::size_t count() const {
        return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
               static_cast<std::size_t>(size[2]);
    }
};

// Casts rays from each point both ways along each axis and returns how many of the six leave the
// mesh more often than they enter it. In a closed mesh all six agree. A hole, a doubled face or a
// crack affects only the rays through it. Handles meshes that are wound inside out.
std::vector<std::int8_t> count_inside_rays(const Mesh& mesh, const GridShape& grid);

}  // namespace ringlet
