// A pinhole camera. The defaults frame the built-in bust.
#pragma once

#include "math/vec3.h"

namespace ringlet {

struct Camera {
    Vec3f eye{0.32f, 0.43f, 1.22f};    // m
    Vec3f target{0.0f, 0.28f, 0.0f};   // m
    float field_of_view_degrees = 27;  // vertical
};

}  // namespace ringlet
