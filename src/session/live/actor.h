// One head of a scene: its groom, its simulation, and what of it is shown, all in its own frame. It
// knows where it stands only for those who draw or export it.
#pragma once

#include "session/assets/groom_source.h"
#include "session/live/actor_fur.h"
#include "strand/children.h"

namespace ringlet {

struct Actor {
    Scene scene;
    Rigidf place;                       // from its frame to the world's
    std::shared_ptr<Body> body;         // as read
    Mesh drawn_body;                    // with a scalp in the colour of the roots
    std::vector<Mesh> drawn_colliders;  // as shown; empty where a collider keeps its shape
    GroomMaps maps;                     // that the groom was grown by
    // All strands at rest, in the head's frame; looks are made by paint_groom(), places by
    // need_rest(), where they are not kept.
    StrandSet groom;
    bool keeps_rest = true;              // a simulation that runs does not need it
    StrandSet guides;                    // the first of them, where only these are simulated
    std::unique_ptr<Children> children;  // the others, if any
    std::unique_ptr<Simulation> simulation;
    // Positions before the last step, and as last interpolated; empty until something is to be
    // shown. Where there is a device it has them, until they are fetched.
    Channel<3> before, shown;
    Channel<3> v_before;  // likewise, and empty until the first step after that
    Rigidf head_before, head_shown;
    double time_shown = 0;          // s, of what is shown
    RootBinding root_binding;       // roots of the groom, where the head changes its shape
    std::unique_ptr<ActorFur> fur;  // null: none

    struct StepOutcome {
        double seconds;  // spent simulating
        Measurement measured;
        std::pair<int, int> repaired;  // strand and vertex, or -1
        int strain_limited;            // strands whose lengths a guard put right
        int repaired_tips;             // of fur
    };

    const StrandSet& simulated() const { return children ? guides : groom; }
    // (Re)grows the groom; the simulation must be restarted.
    Result<void> regrow(const TaskPool& pool);
    // Gives the groom its looks, where it has none yet.
    void paint_groom(const TaskPool& pool);
    // Makes sure that there are places at rest.
    void need_rest(const TaskPool& pool);
    void restart(LaneKind lanes, std::unique_ptr<Device> device, double settle,
                 const TaskPool& pool);
    // At rest on the head where that is at `time`, or with the hair where `from` has it, which has
    // the same groom.
    void restart_at(double time, const Simulation* from, LaneKind lanes,
                    std::unique_ptr<Device> device, const TaskPool& pool);
    StepOutcome step(const TaskPool& pool);
    // From now on steps keep what was before them.
    void begin_showing();
    // Shows the state between the last two steps: before at 0, now at 1.
    void show(float t, const TaskPool& pool);
    // Brings the colliders that are drawn into the shapes they have then.
    void shape_colliders();
    // All strands, children included, where the guides are at `guides_now` at that time.
    void spread(const Channel<3>& guides_now, const Rigidf& head, double time, Channel<3>& all,
                const TaskPool& pool);
    // All strands as the simulation has them now: its own, or `all`, which is filled.
    const Channel<3>& present(Channel<3>& all, const TaskPool& pool);
    Hash hash() const;
    // Of what is kept for every vertex, whoever keeps it.
    std::size_t byte_count() const;

private:
    void let_rest_go();
    Scene grown_scene() const { return fur ? fur->as_strands(scene) : scene; }
    Result<StrandSet> grown(const TaskPool& pool) const;
    void show_strands(float t, const TaskPool& pool);
    // How the skin under each root has moved at that time; none where the head keeps its shape.
    std::vector<Rigidf> skin_at(double time, const TaskPool& pool) const;
};

}  // namespace ringlet
