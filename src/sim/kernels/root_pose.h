// Where the skin under a strand's root is: with the head, or, on a body that changes its shape,
// each strand in its own pose.
#pragma once

#include "strand/rows.h"

namespace ringlet {

// Floats of a pose: rotation x, y, z, w and translation x, y, z, one row each.
inline constexpr int kPoseRows = 7;

// `poses` points at the block and lane; null: all strands go with the head.
template <class F>
RINGLET_KERNEL Rigid<F> root_pose(const Rigidf& head, const float* poses) {
    if (!poses) return splat_rigid<F>(head);
    return {ConstRows4<F>{poses}[0], ConstRows3<F>{poses + 4 * kRowWidth}[0]};
}

}  // namespace ringlet
