// What a Session is made of, for the modules that may see inside: renderers' callers and the
// viewer.
#pragma once

#include "ringlet/session.h"
#include "session/assets/collider_source.h"
#include "session/live/actor.h"

namespace ringlet {

struct Session::Impl {
    Scene scene;  // camera, light, render and record are its own; all else each actor's
    SessionOptions options;
    TaskPool pool;
    std::vector<Actor> actors;  // one, where the scene names none
    ColliderMeshes collider_meshes;

    // Running totals of what was measured at every step's end.
    Report totals;
    double sum_stretch = 0;
    std::int64_t segment_count = 0;
    Measurement latest;  // of the last step alone

    // `options.overrides` speak to the actors; the scene has heard them.
    static Result<std::unique_ptr<Impl>> make(Scene scene, const SessionOptions& options,
                                              const Listener& listener);
    // Goes over to a changed scene without starting anew: looks and wind at once, other settings
    // with the hair where it is, a new hairstyle at rest on the head where that is. On an error all
    // stays as it was.
    Result<void> change_scene(const Scene& edited);
    // From here on the scene itself says what the command line said to its actors: as a file must
    // say it, and open to change.
    void absorb_overrides();

    // (Re)grows the grooms and starts the simulation anew.
    Result<void> rebuild();
    void restart();
    void step();
    // A hand that pushes the hair of all actors, in the world's frame, until it is taken away.
    void set_push(const std::optional<Push>& push);
    // Steps until `time` is reached, then shows the state at exactly that time.
    void advance_to(double time);
    // An error of one actor, told with where that actor is declared.
    Error located(std::size_t actor, const Error& error) const;
    double time() const { return actors.front().simulation->time(); }

    // The strands of all actors, one actor after the other: how many, and their roots' UV.
    const StrandSet& groom() const { return is_cast() ? together_ : actors.front().groom; }
    // Of what is kept for every vertex, whoever keeps it.
    std::size_t byte_count() const;
    // At rest, where the heads stand; `all` may be filled and borrowed.
    StrandView rest_strands(Channel<3>& all);
    // As last shown, for a renderer: widths are such that render.hair_width is each actor's own.
    // Those that a device has stay there.
    StrandView drawn_strands() const;
    // The same, brought to the host.
    StrandView shown_strands() const;
    // As the simulation has them now, likewise; and without their looks.
    StrandView present_strands(Channel<3>& all);
    const Channel<3>& present_places(Channel<3>& all);

private:
    Result<void> regrow_as(std::vector<Scene> heads);
    Result<void> go_on_as(std::vector<Scene> heads, bool new_models);
    LaneKind lane_kind() const;
    // One more, where options ask for it; null: the CPU.
    std::unique_ptr<Device> make_device() const;

    // A scene without [[actor]] is shown as it is, not copied into place.
    bool is_cast() const { return !scene.actors.empty(); }
    void gather_grooms();
    // Colours and radii of all actors, which nobody but who draws or writes strands wants.
    void paint_grooms();
    void put_in_place(std::size_t actor, const Channel<3>& own, Channel<3>& all) const;
    // Places of all actors, of each as places_of(actor, channel it may fill) has them.
    template <class PlacesOf>
    const Channel<3>& gathered(Channel<3>& all, const PlacesOf& places_of);
    // What an actor shows, with what the others do; on a device where that has it.
    void put_together(std::size_t actor);

    StrandSet together_;
    std::vector<int> first_strands_;  // of each actor in together_
    Channel<3> shown_;
    Channel<1> drawn_radius_;
};

}  // namespace ringlet
