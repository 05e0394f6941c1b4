// A mesh that changes its shape over time, as a list of shapes of one topology.
#pragma once

#include <cstdint>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

struct MeshSequence {
    std::vector<std::uint32_t> indices;      // three per triangle
    std::vector<Vec3f> rest;                 // the shape hair was groomed on
    std::vector<std::vector<Vec3f>> frames;  // as many positions each; at least one frame
    float fps = 24;
    bool loops = false;  // after the last frame comes the first; otherwise the last stays

    // Straight from frame to frame; before time 0 the first.
    void positions_at(double time, std::vector<Vec3f>& out) const;
};

}  // namespace ringlet
