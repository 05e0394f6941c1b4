// A deforming mesh: positions per frame with a common topology.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

// The positions of a mesh over time, without its topology.
struct MeshFrames {
    // Each with all positions of the mesh. None: it stays at rest.
    std::vector<std::vector<Vec3f>> frames;
    float fps = 24;
};

// Linear interpolation between two shapes; exactly `b` at t = 1. All three have the same size.
void interpolate(std::span<const Vec3f> a, std::span<const Vec3f> b, float t, std::span<Vec3f> out);

struct MeshSequence {
    std::vector<std::uint32_t> indices;  // three per triangle
    std::vector<Vec3f> rest;             // the shape that hair was groomed on
    // Each with as many positions as rest. None: a program sets the shapes.
    std::vector<std::vector<Vec3f>> frames;
    float fps = 24;
    bool loops = false;  // true: the first frame follows the last; false: the last frame stays

    // Linear interpolation between two frames: t = 0 is the first, t = 1 the second.
    struct Moment {
        std::size_t first, second;
        float t;
    };
    // `time` in seconds; negative times give the first frame. Precondition: there are frames.
    Moment at(double time) const;
    void positions_at(double time, std::vector<Vec3f>& out) const;
};

}  // namespace ringlet
