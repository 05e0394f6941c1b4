// A sphere: placed as a capsule whose axis has no length, so kernels never see one.
#pragma once

#include "collide/shapes/capsule.h"

namespace ringlet {

struct ShapeSphere : ShapeCapsule {
    static constexpr SurfaceFrame kFrame = SurfaceFrame::of_other_shape;

    static void place(const Collider& collider, const Rigidf& pose, PlacedCollider& placed);
};

}  // namespace ringlet
