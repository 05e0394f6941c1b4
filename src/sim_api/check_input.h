// Checks what a program passes to HairSim.
#pragma once

#include "ringlet/sim.h"

namespace ringlet {

Result<void> check_strands(const StrandArrays& strands);
Result<void> check_options(const SimOptions& options);
Result<void> check_collider(const SimCollider& collider);
// `what` names the pose in the error.
Result<void> check_pose(const Rigidf& pose, const char* what);
Result<void> check_vector(Vec3f vector, const char* what);

// The pose with a rotation of length 1.
Rigidf with_unit_rotation(const Rigidf& pose);

}  // namespace ringlet
