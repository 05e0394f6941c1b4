// Which points of a grid are inside a mesh, by vote.
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

// From each point a ray goes both ways along each axis and votes for the inside if it leaves the
// mesh more often than it enters it: 0 to 6 votes. In a closed mesh all agree; a hole, a doubled
// face or a crack misleads the rays through it and no others. A mesh wound inside out is turned.
std::vector<std::int8_t> count_inside_rays(const Mesh& mesh, const GridShape& grid);

}  // namespace ringlet
