// A strand on an incline, whose slope is given relative to the friction angle.
#pragma once

#include <cmath>

#include "validate/lab.h"

namespace ringlet::lab {

// How far (m) a straight strand slides down in a second, with the coefficient of friction `mu`.
inline double slide(const SimSettings& settings, float mu, double slope_over_mu) {
    const auto angle = static_cast<float>(std::atan(static_cast<double>(mu) * slope_over_mu));
    const Vec3f down{std::cos(angle), -std::sin(angle), 0}, up{std::sin(angle), std::cos(angle), 0};
    World world;
    world.colliders.push_back({.shape = ColliderShape::plane, .normal = up, .friction = mu});
    const auto line = straight_line(up * settings.collision_radius, down, 0.1f, 10);
    Simulation simulation(strands_of({line}), settings, world, 1);
    run(simulation, 1);
    return static_cast<double>(dot(simulation.state().x.vec3(0, 5) - line[5], down));
}

}  // namespace ringlet::lab
