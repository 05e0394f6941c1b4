// Vectors in double precision, for sums over many vertices.
#pragma once

#include "math/vec3.h"

namespace ringlet {

struct Vec3d {
    double x = 0, y = 0, z = 0;
};

inline Vec3d minus(Vec3f p, const Vec3d& c) {
    return {static_cast<double>(p.x) - c.x, static_cast<double>(p.y) - c.y,
            static_cast<double>(p.z) - c.z};
}

}  // namespace ringlet
