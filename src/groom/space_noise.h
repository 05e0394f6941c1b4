// Smooth noise over space.
#pragma once

#include <cmath>

#include "groom/smooth_step.h"
#include "math/noise.h"
#include "math/vec3.h"

namespace ringlet {

// Value noise: random numbers in [-1, 1) at the nodes of a grid of `size` metres, smooth in
// between. The same for every strand, so it depends on the place alone.
inline float space_noise(Vec3f p, float size, std::uint32_t seed) {
    const Vec3f at = p * (1 / size);
    const float x = std::floor(at.x), y = std::floor(at.y), z = std::floor(at.z);
    const float tx = smooth_step(0, 1, at.x - x), ty = smooth_step(0, 1, at.y - y),
                tz = smooth_step(0, 1, at.z - z);
    const auto node = [&](int dx, int dy, int dz) {
        const auto index = [](float base, int offset) {
            return static_cast<std::uint32_t>(static_cast<std::int32_t>(base) + offset);
        };
        return counter_signed(seed ^ index(z, dz) * 0x9e3779b9u, index(x, dx), index(y, dy));
    };
    const auto row = [&](int dy, int dz) {
        const float a = node(0, dy, dz);
        return a + (node(1, dy, dz) - a) * tx;
    };
    const auto plane = [&](int dz) {
        const float a = row(0, dz);
        return a + (row(1, dz) - a) * ty;
    };
    const float a = plane(0);
    return a + (plane(1) - a) * tz;
}

}  // namespace ringlet
