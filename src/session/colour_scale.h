// Colour scales for quantities of the simulation, shared by the debug view and its legend.
#pragma once

#include "math/vec3.h"
#include "picture/render_settings.h"

namespace ringlet {

// The range of a colour scale.
struct ColourScale {
    const char* title;
    const char* unit;
    float low, high;  // in `unit`
};
// low == high for ColourBy::hair and ColourBy::id, which have no scale.
ColourScale scale_of(ColourBy what);
// The colour at t along the scale, 0 to 1; linear RGB.
Vec3f colour_at(ColourBy what, float t);

}  // namespace ringlet
