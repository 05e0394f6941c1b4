// Checks of numbers that come from files. For the host: kernels do not use <cmath>.
#pragma once

#include <cmath>

#include "math/vec3.h"

namespace ringlet {

inline bool is_finite(Vec3f a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

}  // namespace ringlet
