// The simulation of one head: strands, the head's motion, colliders and wind, advanced by a fixed
// time step. A step runs a list of named stages (simulation.cpp) `substeps` times.
#pragma once

#include <array>
#include <string_view>

#include "collide/deforming_body.h"
#include "collide/neck.h"
#include "collide/root_binding.h"
#include "sim/hair_hair.h"
#include "sim/level_of_detail.h"
#include "sim/measure.h"
#include "sim/motion.h"
#include "sim/strand_contact.h"
#include "sim/substeps.h"
#include "sim/wind.h"
#include "strand/strand_division.h"

namespace ringlet {

struct World {
    std::vector<Collider> colliders;
    HeadMotion head;
    Rigidf head_offset{};  // applied to the head's pose at the start
    // The shapes of a deforming head, in its own frame; null if it is rigid.
    std::shared_ptr<const MeshSequence> shapes;
    // Head and shoulders move apart; empty: all moves with the head. Only without `shapes`.
    std::optional<Neck> neck{};
    Wind wind;
};

// The colliders of a world as a simulation places them: a mesh with a neck has two.
std::vector<Collider> whole_colliders(const World& world);

struct StageTime {
    std::string_view name;
    double seconds = 0;              // in the last step, sum over all substeps
    std::int64_t minimum_bytes = 0;  // device memory traffic, also summed (sim/device.h)
};

class Simulation {
public:
    // `rest` is the groom in the head's frame. Copied; not referenced after construction. Strands
    // start at rest in the head's pose at the start of step `first_step`. `frames`:
    // ModelStart::frames.
    Simulation(const StrandSet& rest, const SimSettings& settings, World world, std::uint32_t seed,
               LaneKind lanes = LaneKind::automatic, int first_step = 0,
               std::unique_ptr<Device> device = nullptr, const TaskPool& pool = TaskPool(1),
               const Channel<4>* frames = nullptr);

    // Simulates only this rank's strands from now on; the first rank measures all. step(), settle()
    // and measure() are then collective. Call it before the first of them. Precondition: there is
    // neither level of detail nor contact between strands.
    void divide(const StrandDivision& division);
    // Brings the current values of pieces of changing_memory() to the first rank of all.
    void collect(std::span<const StatePiece> pieces) const;

    // Advances by settings.dt.
    void step(const TaskPool& pool);

    // Simulates `seconds` with the head in its pose at time 0, so that the hair comes to rest.
    // time() stays 0, and all velocities are 0 afterwards.
    void settle(double seconds, const TaskPool& pool);

    double time() const { return static_cast<double>(step_count_) * settings_.dt; }
    int step_count() const { return step_count_; }
    // Copies the state from the device first if the device's copy is newer. Call the non-const
    // overload before each write: it marks the host's copy as newer.
    const SimState& state() const;
    SimState& state();
    const Model& model() const { return *model_; }
    // The rest length (m) of the segment from `vertex` to the next.
    float rest_length(int strand, int vertex) const;
    const SimSettings& settings() const { return settings_; }
    // Takes effect at the next step. Does not change settings().
    void set_gravity(Vec3f gravity) {
        model_->set_gravity(gravity);
        if (contacts_) contacts_->set_gravity(gravity);
    }
    // Continues from the state of `other`, which has the same groom but other settings. The result
    // is close to what `other` would compute, but not bit-identical.
    void continue_from(const Simulation& other, const TaskPool& pool);
    // Changes motion, wind and colliders from the next step on. Colliders may change but not be
    // added or removed. Hair-hair coupling stays as constructed.
    void set_world(World world, const TaskPool& pool);
    // Applies an offset to the head's pose; reached at the end of the next step.
    void set_head_offset(const Rigidf& offset) { target_offset_ = offset; }
    const Rigidf& head_offset() const { return target_offset_; }
    // Sets the pose of a posed collider; reached at the end of the next step.
    void set_collider_pose(int collider, const Rigidf& pose);
    // Set the shape of a deforming head, all positions in the head's frame, or of a collider, in
    // the body's frame; reached at the end of the next step. Precondition: its MeshSequence has no
    // frames.
    void set_head_shape(std::span<const Vec3f> positions);
    void set_collider_shape(int collider, std::span<const Vec3f> positions);
    // Prepares set_active_strands(), which simulates about `count` strands from the next step on;
    // the others follow the skin rigidly. Returns the number of strands that are simulated. `rest`
    // has the groomed positions. Preconditions: the CPU simulates, and no sequence is played.
    void enable_level_of_detail(const Channel<3>& rest);
    int set_active_strands(int count, const TaskPool& pool);
    // Null before enable_level_of_detail().
    const LevelOfDetail* level_of_detail() const { return detail_.get(); }
    // Changes the wind from the next step on.
    void set_wind(const Wind& wind);
    // Moves head and strands to a new offset at once, and posed and deforming colliders and the
    // head's surface to the poses and shapes set last. Strands keep their shape and their
    // velocities relative to the skin.
    void teleport(const Rigidf& offset, const TaskPool& pool);
    // All memory that step() changes and a later step reads. The number and sizes of the pieces are
    // equal for equal strands, settings and bodies. Call restore() after it was overwritten.
    MemorySpans changing_memory(StateAccess use);
    void restore(const TaskPool& pool);
    // The head's pose at a time within the next step; `share` is the elapsed fraction of that step.
    Rigidf head_at(double time, float share) const;
    // Sets a local push (viewer) from the next step on; nullopt removes it.
    void set_push(const std::optional<Push>& push) { push_ = push; }
    Rigidf head_pose() const { return head_; }
    // That of the head if it has no neck.
    Rigidf shoulder_pose() const { return shoulders_; }
    // Mean wind and turbulence waves at a time.
    WindUniforms air_at(double time) const { return wind_field_.uniforms_at(time, 0); }
    // The colliders of the world, then the shoulders of a mesh with a neck.
    std::span<const PlacedCollider> colliders() const { return placed_; }
    // Whether set_world() accepts this world: it has as many colliders as before.
    bool accepts(const World& world) const;
    // Memory kept between steps, by kind, and in total (bytes).
    std::vector<MemoryUse> memory() const;
    std::size_t byte_count() const;

    Measurement measure(const TaskPool& pool);
    // As those of Model. Of a divided simulation: the results for all strands on the first rank.
    std::pair<int, int> collect_repaired();
    int collect_strain_limited();
    // Hair density at every vertex, 1 as groomed; null without hair-hair coupling.
    const Channel<1>* hair_density() const;
    // The hair grid of the last coupling; null without coupling or if a device has it.
    const HairGrid* hair_grid() const {
        return coupling_ && !device_ ? &coupling_->grid() : nullptr;
    }
    // Contact between strands; null without it.
    const StrandContacts* strand_contacts() const { return contacts_.get(); }
    // Timings of the last step. Blocks until the device has finished it.
    std::span<const StageTime> stage_times();
    // Copies positions and velocities to x and v; with a device, on the device.
    void copy_state(Channel<3>& x, Channel<3>& v) const;
    // With a device: the channels, of which the device's copies are current or become so when they
    // are used there, and the positions for drawing.
    const SimState& state_on_device() const { return state_; }
    DevicePositions* positions_on_device() const { return device_->positions_of(state_.x); }
    // Computes the displayed positions on the device; sets `what.now`.
    void show_on_device(DeviceShow what) const;
    // Null if the CPU simulates.
    Device* device() const { return device_.get(); }

private:
    struct Substep : SubstepTimes {
        double end_time, step_end_time;
        float from, to;  // shares of the step at its start and end
        float next_h;    // s, h of the next substep
        const TaskPool& pool;
    };
    struct Stage {
        std::string_view name;
        void (Simulation::*run)(const Substep&);
    };
    static const std::array<Stage, 6> kStages;

    std::unique_ptr<DeformingBody> deforming_body(const Collider& collider,
                                                  const TaskPool& pool) const;
    Substep substep(int index, double start, double duration, const TaskPool& pool) const;
    void run_stages(const Substep& now);
    PlacedCollider placed(std::size_t collider, const Substep& now, const NeckPose& before);
    Rigidf shoulders_at(double time, float share) const;
    Rigidf with_offset(const Rigidf& own, float share) const;
    void bind_roots(const StrandSet& rest);
    void bind_to_neck(const LayoutRef& layout, std::span<const Vec3f> roots);
    void place_bodies_at_rest(const TaskPool& pool);
    std::vector<Rigidf> skin_at_start(const TaskPool& pool) const;
    std::vector<Rigidf> skin_poses(const TaskPool& pool) const;
    void set_active_blocks();
    void move_inactive(const TaskPool& pool);
    std::vector<Rigidf> skin_motions(const Substep& now) const;
    // Calls body(strand) for the strands that this process simulates.
    template <class Body>
    void for_each_own_strand(const TaskPool& pool, const Body& body) const;
    void move_all(const StrandMotions& motions, const TaskPool& pool);
    void move_bodies(const Substep& now);
    Rigidf move_hair_with_head(const Rigidf& from, const Rigidf& to, const Substep& now);
    void move_roots(const Substep& now);
    void move_roots_on_neck(const TaskPool& pool);
    void couple_hair(const Substep& now);
    void apply_wind(const Substep& now);
    void touch_strands(const Substep& now);
    void move_strands(const Substep& now);
    bool has_thin_bodies() const;

    SimSettings settings_;
    float longest_segment_;  // m, of the groom
    World world_;
    SimState state_;
    LaneKind lanes_;
    std::unique_ptr<HairCoupling> coupling_;    // null without hair-hair coupling
    std::unique_ptr<StrandContacts> contacts_;  // null without contact between strands
    WindField wind_field_;
    std::optional<Push> push_;
    std::unique_ptr<Model> model_;
    Measurer measurer_;
    int step_count_ = 0;
    Rigidf head_;
    Rigidf offset_, target_offset_;        // at the start and at the end of a step
    Rigidf shoulders_;                     // equals head_ without a neck
    RootBinding root_binding_;             // empty unless the mesh has shapes
    StrandChannel<1> root_shares_;         // Neck::head_share; empty if all roots are on the head
    StrandChannel<kPoseRows> root_poses_;  // empty if all roots follow the head
    // The head's shape at the start and at the end of a step; empty unless a program sets it.
    std::vector<Vec3f> head_shape_, target_head_shape_;
    Vec3f roots_centre_{0, 0, 0};  // m, in the head's frame
    float roots_reach_ = 0;        // m, from there to the farthest root
    // The poses of a posed collider at the start and at the end of a step.
    struct ColliderPose {
        Rigidf start, end;
    };
    std::vector<ColliderPose> collider_poses_;
    std::vector<PlacedCollider> placed_;
    std::vector<std::unique_ptr<DeformingBody>> deforming_;  // per collider; null where it is rigid
    std::unique_ptr<LevelOfDetail> detail_;                  // null: all strands are simulated
    StrandDivision division_;
    std::vector<char> own_strands_;  // per strand: whether this rank simulates it; empty: all
    std::array<StageTime, 6> stage_times_;
    std::unique_ptr<Device> device_;
    std::vector<std::size_t>
        marked_;  // stages of the last step with a device time stamp at their end
};

}  // namespace ringlet
