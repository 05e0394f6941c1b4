// A model is a way to move strands through one substep. It owns whatever it keeps about them
// beside positions and velocities; all models see the same strands and bodies.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "collide/collider.h"
#include "math/lane_choice.h"
#include "sim/device.h"
#include "sim/kernels/measure_kernel.h"
#include "sim/kernels/root_pose.h"
#include "sim/settings.h"
#include "sim/state.h"

namespace ringlet {

// The surroundings in one substep.
struct SubstepContext {
    float h;      // s
    Rigidf head;  // pose at the end of the substep
    std::span<const PlacedCollider> colliders;
    // Of the skin under each root, kPoseRows rows a block; null: it goes with the head.
    const float* root_poses = nullptr;
};

// A kind of thing that is remembered, and the bytes all of it takes.
struct MemoryUse {
    std::string what;
    std::size_t bytes;
};

class Model {
public:
    virtual ~Model() = default;
    // Where there is a device, strands are moved there, and `context.colliders` are its own.
    virtual void substep(SimState& state, const SubstepContext& context, const TaskPool& pool,
                         Device* device = nullptr) = 0;
    virtual void set_gravity(Vec3f gravity) = 0;
    // The strands were moved as one rigid body; what the model remembers of them moves along.
    virtual void carry(const Rigidf& /*motion*/, const TaskPool& /*pool*/) {}
    // Strands go on from where another model has left them. What this one remembers of them is
    // taken over from one of its own kind, or made to fit as well as can be.
    virtual void resume(const Model& /*before*/, const SimState& /*state*/, const Rigidf& /*head*/,
                        const TaskPool& /*pool*/) {}
    // What the model remembers beside the state.
    virtual std::vector<MemoryUse> memory() const = 0;
    // The first vertex (strand, vertex) whose numbers had to be repaired since the last call, or
    // (-1, -1).
    virtual std::pair<int, int> collect_repaired() = 0;
    // Where it keeps the marks of that and of the next, for who must fetch them from a device
    // first.
    virtual std::array<const void*, 2> marks() const = 0;
    // How many strands had their lengths put right by a guard, beside the model's own solve, since
    // the last call.
    virtual int collect_strain_limited() = 0;
    // Of segments, from a vertex to the next.
    virtual RestLengths rest_lengths() const = 0;
};

}  // namespace ringlet
