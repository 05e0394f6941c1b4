// A deforming mesh: positions per frame with a common topology.
#pragma once

#include <cstdint>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

// The positions of a mesh over time, without its topology.
struct MeshFrames {
    // Each with all positions of the mesh. None: it stays at rest.
    std::vector<std::vector<Vec3f>> frames;
    float fps = 24;
};

struct MeshSequence {
    std::vector<std::uint32_t> indices;      // three per triangle
    std::vector<Vec3f> rest;                 // the shape that hair was groomed on
    std::vector<std::vector<Vec3f>> frames;  // at least one, each with as many positions as rest
    float fps = 24;
    bool loops = false;  // true: the first frame follows the last; false: the last frame stays

    // Linear interpolation between two frames: t = 0 is the first, t = 1 the second.
    struct Moment {
        std::size_t first, second;
        float t;
    };
    // `time` in seconds; negative times give the first frame.
    Moment at(double time) const;
    void positions_at(double time, std::vector<Vec3f>& out) const;
};

}  // namespace ringlet
