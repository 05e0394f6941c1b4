// The outline of a head as seen from its centre: the distance to its outermost surface by
// direction. Interior surfaces (mouth, eyeballs, a second skin) do not change it.
#pragma once

#include <array>
#include <span>

#include "geom/placement.h"

namespace ringlet {

// Where a head is in the coordinates of a mesh.
struct HeadPose {
    Vec3f up{0, 1, 0}, facing{0, 0, 1};  // unit, perpendicular
    Vec3f centre{0, 0, 0};  // halfway between crown and chin, and between forehead and occiput
    float height = 0;       // from chin to crown
};

struct RadialMap {
    static constexpr int kAzimuths = 24;    // from the face (0) to the left, in steps of 15 degrees
    static constexpr int kElevations = 12;  // from straight down, in steps of 15 degrees
    // Surfaces farther from the centre, such as shoulders, do not count.
    static constexpr float kReach = 0.8f;
    // In head heights; 0 where there is no surface.
    std::array<std::array<float, kAzimuths>, kElevations> radius{};
};

RadialMap radial_map(std::span<const Vec3f> points, const HeadPose& pose);

// Difference of two maps, from 0 (equal) to 1: the mean of d^2 / (d^2 + (6 %)^2) over the
// directions, weighted by solid angle.
float difference(const RadialMap& a, const RadialMap& b);

// Difference between the left and the right half.
float asymmetry(const RadialMap& map);

// The map of a typical adult head with its neck, symmetric.
const RadialMap& typical_head();

}  // namespace ringlet
