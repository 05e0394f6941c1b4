// The pose of the skin under a strand's root: the head's pose, or a pose per strand on a deforming
// head.
#pragma once

#include "strand/rows.h"

namespace ringlet {

// Rows of a pose: rotation x, y, z, w and translation x, y, z.
inline constexpr int kPoseRows = 7;

// `poses` points at the block and lane; null: all roots move with the head.
template <class F>
RINGLET_KERNEL Rigid<F> root_pose(const Rigidf& head, const float* poses) {
    if (!poses) return splat_rigid<F>(head);
    return {ConstRows4<F>{poses}[0], ConstRows3<F>{poses + 4 * kRowWidth}[0]};
}
template <class F>
RINGLET_KERNEL void set_root_pose(float* poses, const Rigid<F>& pose) {
    Rows4<F>{poses}.set(0, pose.rotation);
    Rows3<F>{poses + 4 * kRowWidth}.set(0, pose.translation);
}

}  // namespace ringlet
