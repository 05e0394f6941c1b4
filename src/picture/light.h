// The three lights of a studio: key, fill and rim. An environment map may take the place of the
// fill.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "math/vec3.h"

namespace ringlet {

struct EnvironmentMap;  // picture/environment_map.h

// Light::environment of the built-in map.
inline constexpr std::string_view kStudioEnvironment = "studio";

struct Light {
    Vec3f direction{0.55f, 0.75f, 0.6f};  // from the scene towards the key light, any length
    Vec3f colour{1.0f, 0.96f, 0.9f};      // linear RGB of the key and the rim light
    float key = 2.6f;                     // intensity
    float fill = 0.55f;                   // intensity of the soft light from all directions
    float rim = 1.6f;                     // intensity of the light from behind, opposite the key
    // Angular diameter of the key and the rim light, degrees. Used by the path tracer.
    float size = 5;
    std::string environment = {};    // file or kStudioEnvironment; empty: none
    float environment_gain = 1;      // factor of its light
    float environment_rotation = 0;  // degrees about +y
    // The loaded environment; null: none. It replaces the soft light.
    std::shared_ptr<const EnvironmentMap> map = {};
};

}  // namespace ringlet
