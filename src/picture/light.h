// The three lights of a studio: key, fill and rim.
#pragma once

#include "math/vec3.h"

namespace ringlet {

struct Light {
    Vec3f direction{0.55f, 0.75f, 0.6f};  // from the scene towards the key light, any length
    Vec3f colour{1.0f, 0.96f, 0.9f};      // linear RGB of the key and the rim light
    float key = 2.6f;                     // intensity
    float fill = 0.55f;                   // intensity of the soft light from all directions
    float rim = 1.6f;                     // intensity of the light from behind, opposite the key
};

}  // namespace ringlet
