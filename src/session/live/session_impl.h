// The implementation of a Session, for the modules of the library that need more than the public
// interface. Applications use session/control.h instead.
#pragma once

#include <exception>
#include <functional>
#include <optional>

#include "ringlet/session.h"
#include "session/assets/collider_source.h"
#include "session/live/displayed_strands.h"
#include "session/live/run_statistics.h"

namespace ringlet {

// A moment at which the strands have positions.
enum class When {
    at_rest,   // as groomed, on the heads in their rest poses
    now,       // after the last step
    displayed  // between the last two steps, at the time of the last advance_to()
};

// Positions of all strands of all actors in world space, in the layout of Session::Impl::layout().
// Borrows from the session or owns a copy; valid until the session changes.
struct Strands {
    When when;
    // On the host. Outdated while `deferred` is set; see on_host().
    const Channel<3>* position;
    // The positions that are not on the host yet; null if the host has them.
    DeferredPositions* deferred = nullptr;
    std::shared_ptr<const Channel<3>> owned{};  // null: borrowed

    // Computes the positions or copies them from the GPU if necessary.
    const Channel<3>& on_host() const;
};

struct Session::Impl {
    Scene scene;  // camera, light, render and record settings; all other settings are per actor
    SessionOptions options;
    TaskPool pool;
    std::vector<Actor> actors;  // one if the scene has no [[actor]]
    ColliderMeshes collider_meshes;
    RunStatistics statistics;
    std::vector<std::string> input_files;  // that were read when the scene was loaded, sorted
    // About the scene as it is loaded or was last changed.
    Messages messages;
    std::optional<Error> failure;  // that lost the state; see Session::status()

    // Loads the assets of `scene`, grows the hair and starts the simulation. Overrides are already
    // applied to `scene`; this applies them to each actor.
    static Result<std::unique_ptr<Impl>> make(Scene scene, const SessionOptions& options,
                                              const Listener& listener);

    // The public object that owns a session.
    static Session to_session(std::unique_ptr<Impl> impl) { return Session(std::move(impl)); }

    // Applies an edited scene while it runs. Appearance and wind change at once; other settings
    // keep the hair where it is; a new hairstyle starts at rest on the current head pose. On
    // failure nothing changes.
    Result<void> change_scene(const Scene& edited);
    // Moves the overrides of the command line into the actors' settings, so that they are part of
    // the scene when it is edited or saved.
    void absorb_overrides();

    // Grows the hair again and restarts at time 0. Needed after changes to an actor's scene.
    Result<void> rebuild();
    // Restarts at time 0.
    void restart();
    void step();
    // Applies a force field to the hair of all actors, in world space, until it is removed.
    void set_push(const std::optional<Push>& push);
    // Steps until `time` (s) is reached, then displays the state at exactly that time.
    void advance_to(double time);
    // Calls `work` and keeps what it throws as `failure`.
    void keep_failure(const std::function<void()>& work);
    // As the functions of Session, but these throw.
    Hash state_hash() const;
    Report report() const;
    double time() const { return actors.front().simulation().time(); }

    // The layout of all strands, one actor after the other, and the texture coordinates per strand.
    const LayoutRef& layout() const { return merged_.layout(); }
    const std::vector<Vec2f>& root_uv() const { return merged_.root_uv(); }
    // Where the strands are. Positions that the host does not hold are not fetched if `when` allows
    // it.
    // Precondition of When::displayed: advance_to() was called since the last restart.
    Strands strands(When when) const;
    // The same strands with their colours and radii, which are computed at the first call. For
    // displayed strands the radius includes the actor's render.hair_width.
    StrandView view(const Strands& strands) const;
    // Frees colours and radii until view() needs them again. Views of before become invalid.
    void release_appearance();
    // Frees the displayed positions until the next advance_to(), which must have `next_time` (s),
    // unless they are on a GPU.
    void release_displayed(double next_time);
    // Velocities of the displayed strands in m/s, in world space: the mean over the part of the
    // step around the displayed time. Precondition as for When::displayed. `out` has layout().
    void write_velocities(Channel<3>& out) const;

    // All memory that step() changes and a later step, advance_to() or report() reads: that of the
    // actors and the statistics. The pieces are equal in number and size for equal scenes. Call
    // restore() after it was overwritten.
    MemorySpans changing_memory(StateAccess use);
    void restore();

    // With several ranks (base/ranks.h), the other ranks run help_first_rank(). When the first rank
    // calls a function that needs all ranks, it sends them an order, and they call the same
    // function. help_first_rank() returns when the first rank calls dismiss_helpers().
    void help_first_rank();
    void dismiss_helpers();
    // Bring the positions of all strands, or everything in changing_memory(), from the helpers to
    // the first rank. Without ranks, or if it has them already, nothing is done.
    void collect_positions();
    void collect_state();
    // LiveHair::keep_previous() of all actors.
    void keep_previous(bool with_velocities = true);
    // Describes how much the ranks have exchanged since the start; empty without ranks.
    std::string describe_exchange();

    // Adds the actor and its line in the scene file to an error.
    Error located(std::size_t actor, const Error& error) const;
    // Total per-vertex memory in bytes, including the models' and the GPU's.
    std::size_t byte_count() const;

private:
    enum class Order : std::int32_t {
        step,
        keep_previous,
        release_previous,
        collect_positions,
        collect_state,
        restore,
        describe_exchange,
        dismiss
    };
    // Which data of other ranks' strands the first rank has received since the last step.
    enum class Collected { nothing, positions, state };

    Result<void> divide_over_ranks();
    Result<void> compare_grooms() const;
    // Tells the helpers, if this is the first rank of several.
    void tell(Order order) const;
    void obey(Order order);
    void release_previous();

    Result<void> regrow(std::vector<Scene> scenes);
    Result<void> apply_settings(std::vector<Scene> scenes, bool new_models);
    SimulationBackend backend() const;
    // Chooses the values of the scene that are automatic, then checks it and collects messages.
    void fit_view();

    // Scenes with [[actor]] place their actors in the world, even if there is only one.
    bool is_multi_actor() const { return !scene.actors.empty(); }
    // Whether advance_to() takes a step.
    bool is_step_before(double target) const;
    void display(float t);

    Collected collected_ = Collected::nothing;
    RankTraffic traffic_at_start_;  // hair that settles also exchanges
    MergedActors merged_;
    std::unique_ptr<DisplayedStrands> displayed_;  // null until advance_to()
};

// The time in which helpers wait for the first rank, from which it dismisses them at the end. After
// an exception they may be in the middle of a step, and the program ends them.
class HelpScope {
public:
    explicit HelpScope(Session::Impl& impl) : impl_(impl) {}
    ~HelpScope() {
        if (std::uncaught_exceptions() == exceptions_) impl_.dismiss_helpers();
    }
    HelpScope(const HelpScope&) = delete;
    HelpScope& operator=(const HelpScope&) = delete;

private:
    Session::Impl& impl_;
    int exceptions_ = std::uncaught_exceptions();
};

}  // namespace ringlet
