// Named strand materials: radius, cross-section, stiffness, density, damping.
#pragma once

#include <span>

#include "ringlet/settings.h"

namespace ringlet {

struct StrandMaterial {
    const char* name;
    const char* sentence;
    float radius;        // m
    float aspect_ratio;  // minor over major axis of the cross-section
    float youngs_modulus;
    float poisson_ratio;
    float density;
    float damping;  // s
};

std::span<const StrandMaterial> all_materials();

// Copies all properties of a material to the settings; other settings stay unchanged.
void set_material(RodSettings& rod, int index);

// The material after the dials.
RodSettings with_dials(RodSettings rod);

}  // namespace ringlet
