// One head of a scene with its hair or fur. Everything is in the actor's own frame; only display()
// and draw code use its pose in the world.
#pragma once

#include "session/live/groom.h"
#include "session/live/live_hair.h"

namespace ringlet {

// The parts of an actor, other than strands, at the displayed time, which usually lies between two
// steps. In the actor's frame.
struct DisplayedActor {
    double time = 0;              // s
    Rigidf head;                  // pose of the head
    Rigidf shoulders;             // equals `head` without a neck
    Mesh head_mesh;               // in its shape at `time`, with a scalp in the colour of the roots
    std::vector<Mesh> colliders;  // one per collider; empty where it keeps its shape
    // Where a GPU displays several actors: all strands, its input to merging. Where positions are
    // deferred (displayed_strands.h): the simulated strands. Empty otherwise.
    Channel<3> strands;
    std::vector<Rigidf> skin;  // Groom::skin_motions() where positions are deferred
};

// Strands `first`, `first` + 1, ... of a channel that holds the strands of one or several actors.
struct StrandTarget {
    Channel<3>& positions;
    int first = 0;
    bool in_world = false;  // false: the actor's frame is the world's
};

struct StepOutcome {
    double seconds;  // wall-clock time of the simulation
    Measurement measured;
    std::pair<int, int> repaired;  // strand and vertex, or -1
    int strain_limited;            // number of strands whose strain was limited
    int repaired_tips;             // number of fur tips whose state was repaired
};

// How simulations are created.
struct SimulationBackend {
    LaneKind lanes = LaneKind::automatic;
    bool on_gpu = false;  // precondition: check_backend(Backend::cuda)

    // A new device, or null for the CPU.
    std::unique_ptr<Device> open_device() const;
};

struct Actor {
    Scene scene;
    Rigidf to_world;  // from the actor's frame
    std::shared_ptr<HeadMesh> head_mesh;
    Messages messages;        // about its animation and its groom
    Messages shape_messages;  // those about the animation of its mesh
    Groom groom;
    bool keep_rest = true;    // false: frees the rest shape once the simulation has started
    StrandDivision division;  // of the simulated strands over ranks
    LiveHair live;
    double step_seconds = 0;        // wall-clock time of the last step
    std::vector<Vec3f> start_tips;  // sampled_tips() at the start; see check_motion()
    std::shared_ptr<ActorFur> fur;  // null: none
    DisplayedActor displayed;

    Simulation& simulation() { return live.simulation(); }
    const Simulation& simulation() const { return live.simulation(); }

    // Grows the hair and fur that `scene` describes. Call restart() or restart_at() next.
    Result<void> regrow(const TaskPool& pool);

    // Starts at time 0 and lets the hair settle for that many seconds while the head is still.
    void restart(const SimulationBackend& backend, double settle, const TaskPool& pool);
    // Starts at rest on the head as it is at `time` (s).
    void restart_at(double time, const SimulationBackend& backend, const TaskPool& pool);
    // Applies changed settings of `scene` at `time` (s) with the hair where it is now.
    void continue_at(double time, const SimulationBackend& backend, const TaskPool& pool);

    void step(const TaskPool& pool);
    // The result of the last step. With several ranks, complete on the first one only.
    StepOutcome measure(const TaskPool& pool);

    // Updates `displayed`, except its strands, to the state between the last two steps (0:
    // previous, 1: current). Precondition of this and the next two functions: live.keep_previous().
    void display(float t, const TaskPool& pool);
    // Interpolates the positions of all strands into `target`, on the GPU if that simulates.
    void display_strands(float t, const StrandTarget& target, const TaskPool& pool);
    // Interpolates only the simulated strands, into `displayed.strands`.
    void display_guides(float t, const TaskPool& pool);
    // Updates the displayed shapes of animated colliders.
    void display_colliders();
    // Writes the positions of all strands, children included, to `target`: after the last step, or
    // at rest.
    void write_current(const StrandTarget& target, const TaskPool& pool) const;
    void write_rest(const StrandTarget& target, const TaskPool& pool) const;
    // The same as displayed. Precondition: display_guides().
    void write_displayed(const StrandTarget& target, const TaskPool& pool) const;
    // The same between the last two steps, on the host. Changes nothing else. Precondition:
    // live.keep_previous().
    void write_between(float t, const StrandTarget& target, const TaskPool& pool) const;

    // All memory that step() changes and a later step or display() reads. Call restore() after it
    // was overwritten.
    MemorySpans changing_memory(StateAccess use);
    void restore(const TaskPool& pool);

    // Identifies positions and velocities of the simulated strands and fur tips.
    Hash hash() const;
    // Per-vertex memory in bytes, including the model's and the GPU's.
    std::size_t byte_count() const;

private:
    // Whether this rank needs nothing of the actor.
    bool is_left_to_others() const {
        return division.is_divided() && !division.is_first() && !division.has_blocks();
    }
    std::unique_ptr<Simulation> make_simulation(int first_step, const SimulationBackend& backend,
                                                const TaskPool& pool);
    double shape_time(double time) const;  // time in the head's and colliders' shape sequences, s
    void display_head();
    void display_on_gpu(float t, const StrandTarget& target, const TaskPool& pool);
    void add_children(const Rigidf& head, std::span<const Rigidf> skin, const StrandTarget& target,
                      const TaskPool& pool) const;
    void move_to_world(const StrandTarget& target, const TaskPool& pool) const;
};

}  // namespace ringlet
