// Penalty contact, for all models: accelerates vertices out of colliders in proportion to their
// depth before the model's own substep.
//
// Penalty contact is soft: hair rests as deep in a collider as the force needs to balance its
// weight, and it bounces. A stiffness high enough to hide that would overshoot in an explicit step,
// so no push moves a vertex farther than its depth. There is no friction. It costs one distance
// query per vertex and collider.
#pragma once

#include "sim/model.h"

namespace ringlet {

// v += h k depth n, with the depth below sim.collision_radius above the nearest collider's surface.
// With a device, runs there, and `colliders` points to device memory. On the CPU, only those
// strands are pushed whose entry in `pushed` is not 0; empty: all.
void push_out(SimState& state, const SimSettings& settings,
              std::span<const PlacedCollider> colliders, float h, Device* device,
              std::span<const char> pushed, const TaskPool& pool);

}  // namespace ringlet
