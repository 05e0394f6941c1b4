// Checks what a program passes to HairSim.
#pragma once

#include "ringlet/sim.h"

namespace ringlet {

// The names of the two arrays appear in the error.
Result<void> check_mesh(const SimMesh& mesh, const char* positions, const char* triangles);
Result<void> check_strands(const StrandArrays& strands);
// All positions of a mesh of `count` vertices. `what` names the mesh in the error.
Result<void> check_vertices(std::span<const float> positions, std::size_t count, const char* what);
Result<void> check_options(const SimOptions& options);
Result<void> check_collider(const SimCollider& collider);
// `what` names the pose in the error.
Result<void> check_pose(const Rigidf& pose, const char* what);
Result<void> check_vector(Vec3f vector, const char* what);

// The pose with a rotation of length 1.
Rigidf with_unit_rotation(const Rigidf& pose);

}  // namespace ringlet
