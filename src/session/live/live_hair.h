// The running simulation of one actor's strands, and the state before its last step, from which
// positions between two steps are interpolated.
#pragma once

#include <optional>

#include "sim/simulation.h"

namespace ringlet {

class LiveHair {
public:
    // Starts the given simulation. Forgets the previous state.
    void start(std::unique_ptr<Simulation> simulation);
    // Replaces the simulation by one of the same strands, which continues the motion with other
    // settings. Keeps the previous state.
    void continue_with(std::unique_ptr<Simulation> simulation, const TaskPool& pool);

    // Precondition: started.
    Simulation& simulation() { return *simulation_; }
    const Simulation& simulation() const { return *simulation_; }
    // The GPU that simulates, or null for the CPU.
    Device* device() const { return simulation_->device(); }

    // Advances by one step. Blocks until a GPU has finished it.
    void step(const TaskPool& pool);

    // Keeps the state before each of the following steps (24 bytes per vertex), so that positions
    // can be interpolated. Until the next step the previous state is the current one. Without
    // velocities it takes 12 bytes per vertex on the CPU, and acceleration() returns nothing. Has
    // no effect if the state is kept already.
    void keep_previous(bool with_velocities = true);

    // Frees the positions of the previous state until the next step, unless velocities are kept or
    // a GPU has them. Do not interpolate before that step.
    void release_previous();

    // Between the last two steps: t = 0 is the previous state, t = 1 the current one.
    Rigidf head_at(float t) const;
    Rigidf shoulders_at(float t) const;
    double time_at(float t) const;  // s
    // Writes positions of the simulated strands, in the head's frame of reference, to strands
    // `first`, `first` + 1, ... of `out`. Copies from the GPU where that simulates. Precondition:
    // keep_previous().
    void interpolate(float t, Channel<3>& out, int first, const TaskPool& pool) const;
    // The same for the current state.
    void copy_current(Channel<3>& out, int first, const TaskPool& pool) const;
    // The positions before the last step, for interpolation on the GPU. Precondition:
    // keep_previous().
    const Channel<3>& previous_positions() const { return previous_->x; }

    // Mean acceleration of a vertex over the last step in m/s^2; nullopt if it was not kept. Copies
    // from the GPU at the first call after a step.
    std::optional<Vec3f> acceleration(int strand, int vertex) const;

    // All memory that step() changes and a later step or interpolate() reads; previous velocities
    // are not part of it. Call restore() after it was overwritten.
    MemorySpans changing_memory(StateAccess use);
    // The current and, if they are kept, the previous positions.
    MemorySpans positions_memory();
    void restore(const TaskPool& pool);

    // Per-vertex memory in bytes, including the model's and the GPU's.
    std::size_t byte_count() const;

private:
    void keep_poses();

    struct State {
        Channel<3> x;
        Channel<3> v;  // empty until a step was taken
    };

    std::unique_ptr<Simulation> simulation_;
    std::optional<State> previous_;
    bool keeps_velocities_ = true;
    Rigidf previous_head_, previous_shoulders_;
};

}  // namespace ringlet
