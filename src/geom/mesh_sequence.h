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

    // Between two frames, straight: the share t of the way from the first to the second.
    struct Moment {
        std::size_t first, second;
        float t;
    };
    // Before time 0 the first frame.
    Moment at(double time) const;
    void positions_at(double time, std::vector<Vec3f>& out) const;
};

}  // namespace ringlet
