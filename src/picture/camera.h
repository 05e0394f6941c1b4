// A camera with a thin lens in front of a sensor 24 mm high. The defaults frame the built-in bust.
#pragma once

#include "math/vec3.h"

namespace ringlet {

struct Camera {
    Vec3f eye{0.32f, 0.43f, 1.22f};    // m
    Vec3f target{0.0f, 0.28f, 0.0f};   // m
    float field_of_view_degrees = 27;  // vertical
    // The path tracer: focal length over the diameter of the lens, and the distance along the axis
    // at which images are sharp, m.
    float f_stop = 0;  // 0: a pinhole
    float focus = 0;   // 0: the distance of the target
};

}  // namespace ringlet
