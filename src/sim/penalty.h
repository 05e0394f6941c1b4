// Contact by penalty, for every model alike: what is within the gap to a body is accelerated out of
// it in proportion to its depth, before the model's own step.
//
// Soft by nature: hair rests as deep in a body as the push needs to carry it, and springs back. A
// stiffness high enough to hide that would overshoot in an explicit step, so no push takes a vertex
// farther than its depth. There is no friction. It costs one look at the bodies per vertex.
#pragma once

#include "sim/model.h"

namespace ringlet {

// v += h k depth n; depth below sim.collision_radius above the nearest body. Where there is a
// device, it is done there, and the bodies are its own.
void push_out(SimState& state, const SimSettings& settings,
              std::span<const PlacedCollider> colliders, float h, Device* device,
              const TaskPool& pool);

}  // namespace ringlet
