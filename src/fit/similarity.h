// Least-squares fits of simple transforms and shapes to points.
#pragma once

#include <span>

#include "geom/placement.h"

namespace ringlet {

// The rotation, uniform scale and shift that take from[i] to to[i] with the least sum of squared
// distances (Horn 1987, "Closed-form solution of absolute orientation using unit quaternions"). The
// scale is limited to [least_scale, most_scale]. Precondition: the spans have the same length.
// The identity for no points.
Placement fit_similarity(std::span<const Vec3f> from, std::span<const Vec3f> to, float least_scale,
                         float most_scale);

struct FittedSphere {
    Vec3f centre{0, 0, 0};
    float radius = 0;
};

// The sphere with the least sum of squared errors of |p - centre|^2 - radius^2. Directions in which
// the points have no extent do not move the centre. Radius 0 for no points.
FittedSphere fit_sphere(std::span<const Vec3f> points);

}  // namespace ringlet
