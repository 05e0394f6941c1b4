// The parts of a HairSim: a Simulation, and what the caller sets once per frame.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ringlet/sim.h"
#include "sim/simulation.h"
#include "sim_api/frame_motion.h"

namespace ringlet {

struct HairSim::Impl {
    StrandSet rest;
    Channel<4> frames;  // StrandArrays::rest_frames; empty if the caller has none
    SimSettings settings;
    World world;
    SimOptions options;
    TaskPool pool;
    std::unique_ptr<Simulation> simulation;
    Channel<3> previous;  // empty unless options.keep_previous
    std::optional<Push> push;
    Channel<1> widths;  // empty if the caller has none
    // Index of each strand's root in a Channel<3>, a Channel<1> (empty without widths), and in the
    // memory of a GPU (empty without one).
    std::vector<std::size_t> first, first_number, first_on_device;
    std::vector<int> counts;
    std::unique_ptr<DeviceTarget> gl_buffer;  // null: none is attached
    std::uint64_t fingerprint = 0;
    bool is_lost = false;
    // The part of the state that a Simulation does not have.
    struct Clock {
        double ahead = 0;  // the caller's time minus that of the last step, in steps
        std::int64_t steps = 0;
        std::int64_t repaired_strand = -1, repaired_vertex = -1, strain_limited = 0;
        FramePose head;
        int active_strands = 0;  // as requested
    } clock;
    FrameShape head_shape;
    // One per collider.
    std::vector<FramePose> collider_poses;
    std::vector<FrameShape> collider_shapes;

    // All arguments have been checked.
    Impl(const StrandArrays& strands, const SimSettings& from, const SimOptions& how);
    void add_colliders(std::vector<Collider> colliders);

    // Starts at rest with the head and the colliders in their poses and shapes of now.
    void start();
    // `seconds` is finite and not negative.
    SimStepped step(double seconds);
    // Moves the head to a pose, and everything else to where it is now, at once.
    void teleport(const Rigidf& head);

    // Everything that save() stores.
    MemorySpans changing_memory(StateAccess use);
    VectorView view(const Channel<3>& channel) const {
        return channel.empty() ? VectorView() : VectorView(channel.memory(), first, counts);
    }

    // The state's channel on the device, which exists.
    DeviceVectors device_view(const Channel<3>& channel) const;
    int set_active_strands(int count);
    // Notes what the model reports about strands. Reads one number per strand.
    void collect_flags();

private:
    void set_widths(std::span<const float> from);
    void set_head_mesh(const SimMesh& mesh);
    void compute_fingerprint(const StrandArrays& strands);
    void take_step(double share);
    void end_frame();
    // Sets all shapes as they are after a fraction of the frame.
    void set_shapes(double share);
    bool is_in_first_shape() const;
};

}  // namespace ringlet
