// What strands are made of, by name: radius, shape of the section, stiffness, weight, damping.
#pragma once

#include <span>

#include "sim/settings.h"

namespace ringlet {

struct StrandMaterial {
    const char* name;
    const char* sentence;
    float radius;   // m
    float ellipse;  // narrow over wide axis
    float youngs_modulus;
    float poisson_ratio;
    float density;
    float damping;  // s
};

std::span<const StrandMaterial> all_materials();

// Takes over everything the material says; what else the settings say stays.
void set_material(RodSettings& rod, int index);

}  // namespace ringlet
