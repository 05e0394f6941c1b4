// A model (solver) advances strands by one substep. It owns its per-strand data in addition to
// positions and velocities. All models use the same strands and colliders.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "collide/collider.h"
#include "math/lane_choice.h"
#include "ringlet/settings.h"
#include "sim/channel_access.h"
#include "sim/device.h"
#include "sim/kernels/measure_kernel.h"
#include "sim/kernels/root_pose.h"
#include "sim/kernels/sdirk2.h"
#include "sim/state.h"

namespace ringlet {

// The inputs of one substep.
struct SubstepContext {
    float h;      // s, length of the backward Euler step
    Rigidf head;  // pose at the end of the substep
    std::span<const PlacedCollider> colliders;
    // Pose of the skin under each root (sim/kernels/root_pose.h); null: all roots move with `head`.
    const StrandChannel<kPoseRows>* root_poses = nullptr;
    // For models that is_second_order().
    StepStage stage = StepStage::whole;
    float span = h;                // s, by which time advances; differs from h in the second stage
    float step = h;                // s, length of the step that the stage is part of
    float next_h = h;              // s, of the next substep
    bool has_thin_bodies = false;  // some colliders collide with segments as well as with vertices
    // 1 for strands that meet another one in this step (sim/strand_contact.h), which a
    // second-order model advances by backward Euler. Null: none does.
    const StrandChannel<1>* meeting_strands = nullptr;
};

// The stiffness and the forces of strands and their distance to bodies, as contact between strands
// predicts their motion. Null where a model has none. Stiffness and forces are relative to the mean
// vertex mass M of the strand.
struct StrandMechanics {
    const Channel<1>* bend =
        nullptr;  // m^2/s^2, torque per radian of the joint at a vertex, over M
    // m, force in the segment after a vertex, times h^2/M for the h of the next substep.
    const Channel<3>* force = nullptr;
    const Channel<1>* gap = nullptr;  // m, that vertices keep from bodies; empty without bodies
};

// The memory in bytes that one kind of data takes.
struct MemoryUse {
    std::string what;
    std::size_t bytes;
};

// The rigid motion of each strand: one for all, or one per strand. Not owned.
class StrandMotions {
public:
    explicit StrandMotions(const Rigidf& all) : all_(&all) {}
    explicit StrandMotions(std::span<const Rigidf> each) : each_(each) {}
    // The same for those strands only whose entry in `moved` is not 0.
    StrandMotions(StrandMotions motions, std::span<const char> moved) : StrandMotions(motions) {
        moved_ = moved;
    }
    bool moves(int strand) const {
        return moved_.empty() || moved_[static_cast<std::size_t>(strand)] != 0;
    }
    const Rigidf& operator[](int strand) const {
        return all_ ? *all_ : each_[static_cast<std::size_t>(strand)];
    }

private:
    const Rigidf* all_ = nullptr;
    std::span<const Rigidf> each_;
    std::span<const char> moved_;  // empty: all
};

class Model {
public:
    virtual ~Model() = default;
    // With a device, strands are moved there, and `context.colliders` points to device memory.
    virtual void substep(SimState& state, const SubstepContext& context, const TaskPool& pool,
                         Device* device = nullptr) = 0;
    virtual void set_gravity(Vec3f gravity) = 0;
    // Restricts substep() to some blocks of the layout, on the CPU; empty: all.
    virtual void set_active_blocks(std::span<const int> blocks) = 0;
    // Whether pairs of substeps are the stages of a second-order step (sim/kernels/sdirk2.h).
    virtual bool is_second_order() const { return false; }
    virtual StrandMechanics mechanics() const { return {}; }
    // StrandMechanics::force, which the solve of the next substep starts from; null if the model
    // has none. Another start changes the path on which the solve expects to meet bodies.
    virtual Channel<3>* starting_force() { return nullptr; }
    // Called after strands were moved rigidly; moves the model's own data in the same way.
    virtual void move_rigidly(const StrandMotions& /*motions*/, const TaskPool& /*pool*/) {}
    // Continues from the state of another model. Copies the data of a model of the same type;
    // otherwise derives it from the state as well as possible.
    virtual void resume(const Model& /*before*/, const SimState& /*state*/, const Rigidf& /*head*/,
                        const TaskPool& /*pool*/) {}
    // All memory that substep() changes and a later one reads, `state` included. The number and
    // sizes of the pieces are equal for equal strands, settings and bodies.
    virtual MemorySpans changing_memory(SimState& state, bool is_on_device, StateAccess use) = 0;
    // The model's memory in addition to the state.
    virtual std::vector<MemoryUse> memory() const = 0;
    // Returns the first (strand, vertex) with non-finite or huge values that was repaired since the
    // last call, or (-1, -1), and clears the record.
    virtual std::pair<int, int> collect_repaired() = 0;
    // Returns the number of strands whose lengths the strain limiter corrected after the model's
    // own solve since the last call, and clears the record.
    virtual int collect_strain_limited() = 0;
    // The rest lengths of segments.
    virtual RestLengths rest_lengths(ChannelAccess& access) const = 0;
};

}  // namespace ringlet
