// The simulation of one scene: strands, the head that carries them, bodies and wind, advanced by a
// fixed step. A step is `substeps` runs through a list of named stages (simulation.cpp).
#pragma once

#include <array>
#include <string_view>

#include "collide/deforming_body.h"
#include "collide/riding_roots.h"
#include "sim/hair_hair.h"
#include "sim/measure.h"
#include "sim/motion.h"
#include "sim/wind.h"

namespace ringlet {

struct World {
    std::vector<Collider> colliders;
    HeadMotion head;
    // Where the head changes its shape too: in its own frame.
    std::shared_ptr<const MeshSequence> shapes;
    Wind wind;
};

struct StageTime {
    std::string_view name;
    double seconds = 0;              // in the last step, all substeps together
    std::int64_t minimum_bytes = 0;  // that a device had to move, likewise (sim/device.h)
};

class Simulation {
public:
    // `rest` is the groom in the head's own frame. It must outlive nothing: what is needed is
    // copied. Strands start at rest on the head as it is at the start of step `first_step`.
    Simulation(const StrandSet& rest, const SimSettings& settings, World world, std::uint32_t seed,
               LaneKind lanes = LaneKind::automatic, int first_step = 0,
               std::unique_ptr<Device> device = nullptr, const TaskPool& pool = TaskPool(1));

    // Advances by settings.dt.
    void step(const TaskPool& pool);

    // Lets the hair come to rest where the head is at time 0, for that many seconds of its own;
    // time stays 0 and velocities end at 0.
    void settle(double seconds, const TaskPool& pool);

    double time() const { return static_cast<double>(step_count_) * settings_.dt; }
    int step_count() const { return step_count_; }
    // Fetched first where a device has it. Who means to change it asks for it anew before each
    // step.
    const SimState& state() const;
    SimState& state();
    const Model& model() const { return *model_; }
    // m, of the segment from `vertex` to the next.
    float rest_length(int strand, int vertex) const;
    const SimSettings& settings() const { return settings_; }
    // Takes effect from the next step on; the scene's own value is untouched.
    void set_gravity(Vec3f gravity) { model_->set_gravity(gravity); }
    // Goes on from where the strands of `other` are, which has the same groom: other settings, the
    // same motion. Close to what `other` would have done, not the same bits.
    void continue_from(const Simulation& other, const TaskPool& pool);
    // Bodies may be moved and changed, not added or removed; what the strands were prepared for,
    // such as whether hair meets hair, stays. From the next step on.
    void set_world(World world, const TaskPool& pool);
    // On top of the head's own motion; reached by the end of the next step.
    void set_head_offset(const Rigidf& offset) { offset_wanted_ = offset; }
    const Rigidf& head_offset() const { return offset_wanted_; }
    // Where the head is at a time within the step that comes next, and the share of it until then.
    Rigidf head_at(double time, float share) const;
    // A hand that pushes hair from the next step on, until it is taken away.
    void set_push(const std::optional<Push>& push) { push_ = push; }
    Rigidf head_pose() const { return head_; }
    // The air at a time: mean wind and waves.
    WindUniforms air_at(double time) const { return wind_field_.uniforms_at(time, 0); }
    std::span<const PlacedCollider> colliders() const { return placed_; }
    // What is kept between steps, by kind; and all of it.
    std::vector<MemoryUse> memory() const;
    std::size_t byte_count() const;

    Measurement measure(const TaskPool& pool);
    std::pair<int, int> collect_repaired();
    int collect_strain_limited();
    // How dense hair is at every vertex, 1 as groomed; null where nothing in the scene asks.
    const Channel<1>* hair_density() const;
    // Likewise the grid itself, as of the last mixing; null where a device has it.
    const HairGrid* hair_grid() const {
        return coupling_ && !device_ ? &coupling_->grid() : nullptr;
    }
    // Of the last step; waits for a device to finish it.
    std::span<const StageTime> stage_times();
    // Makes these what positions and velocities are now; on a device where that has them.
    void copy_state(Channel<3>& x, Channel<3>& v) const;
    // What is shown on the device; `what.now` is set here.
    void show_on_device(DeviceShow what) const;
    // Null: strands are moved by the CPU.
    Device* device() const { return device_.get(); }

private:
    struct Substep {
        int index;  // in its step
        double end_time, step_end_time;
        float h;
        const TaskPool& pool;
    };
    struct Stage {
        std::string_view name;
        void (Simulation::*run)(const Substep&);
    };
    static const std::array<Stage, 5> kStages;

    std::unique_ptr<DeformingBody> deforming_body(const Collider& collider,
                                                  const TaskPool& pool) const;
    void run_stages(const Substep& now);
    void fetch_marks();
    void move_bodies(const Substep& now);
    Rigidf carry_strands(const Rigidf& from, const Rigidf& to, const Substep& now);
    void move_roots(const Substep& now);
    void couple_hair(const Substep& now);
    void apply_wind(const Substep& now);
    void move_strands(const Substep& now);

    SimSettings settings_;
    World world_;
    SimState state_;
    LaneKind lanes_;
    std::unique_ptr<HairCoupling> coupling_;  // null where hair passes through hair
    WindField wind_field_;
    std::optional<Push> push_;
    std::unique_ptr<Model> model_;
    Measurer measurer_;
    int step_count_ = 0;
    Rigidf head_;
    Rigidf offset_, offset_wanted_;  // before and after a step
    RidingRoots riding_;             // where the head changes its shape
    std::vector<float> root_poses_;  // kPoseRows rows a block, likewise
    Vec3f roots_centre_{0, 0, 0};    // m, in the head's frame
    float roots_reach_ = 0;          // m, from there to the farthest root
    std::vector<PlacedCollider> placed_;
    std::vector<std::unique_ptr<DeformingBody>> deforming_;  // per collider; null where it is rigid
    std::array<StageTime, 5> stage_times_;
    std::unique_ptr<Device> device_;
    std::vector<std::size_t> marked_;  // stages whose end the device's clock has, of the last step
};

}  // namespace ringlet
