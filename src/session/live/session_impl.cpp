#include "session/live/session_impl.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "session/boundary.h"
#include "session/live/framing.h"
#include "session/live/lane_check.h"
#include "session/live/scene_checks.h"
#include "sim_api/backend.h"

namespace ringlet {

const Channel<3>& Strands::on_host() const {
    if (deferred) deferred->fetch();
    return position->read();
}

SimulationBackend Session::Impl::backend() const {
    return {lane_kind(options.lanes), options.backend == Backend::cuda};
}

Result<void> Session::Impl::rebuild() {
    for (std::size_t k = 0; k < actors.size(); ++k) {
        Actor& actor = actors[k];
        Result<void> done =
            collider_meshes.fill(actor.scene, *actor.head_mesh, actor.shape_messages, pool);
        if (done) done = actor.regrow(pool);
        if (!done) return located(k, done.error());
    }
    merged_.merge(actors, is_multi_actor(), pool);
    fit_view();
    if (Result<void> done = divide_over_ranks(); !done) return done;
    restart();
    return {};
}

// Precedes restart(), which may release the rest shape.
void Session::Impl::fit_view() {
    choose_view(actors, pool, scene);
    const Scene& first = actors.front().scene;
    scene.world.head.pivot = first.world.head.pivot;
    scene.sim.substeps = first.sim.substeps;
    messages = {};
    for (const Actor& actor : actors) {
        messages.add(actor.head_mesh->messages);
        messages.add(actor.messages);
    }
    messages.add({{}, check_scene(scene, actors, pool)});
    if (!backend().on_gpu)
        messages.add({{}, check_lanes(backend().lanes, RINGLET_OPTIMIZED_LANES)});
}

Error Session::Impl::located(std::size_t actor, const Error& error) const {
    if (!is_multi_actor()) return error;
    return Error{"actor " + std::to_string(actor) + ": " + error.text(), scene.actors[actor].file,
                 scene.actors[actor].line};
}

void Session::Impl::restart() {
    for (Actor& actor : actors)
        actor.restart(backend(), static_cast<double>(scene.record.settle), pool);
    displayed_.reset();
    statistics = {};
    collected_ = Collected::nothing;
    if (process_ranks()) traffic_at_start_ = process_ranks()->traffic();
}

// All actors step before the first is measured, because measuring waits for other ranks.
void Session::Impl::step() {
    tell(Order::step);
    collected_ = Collected::nothing;
    for (Actor& actor : actors) actor.step(pool);
    statistics.begin_step();
    for (Actor& actor : actors) statistics.add(actor.measure(pool), actor.groom.simulated_count());
    statistics.end_step();
}

MemorySpans Session::Impl::changing_memory(StateAccess use) {
    MemorySpans out;
    for (Actor& actor : actors)
        for (const std::span<std::byte> piece : actor.changing_memory(use)) out.push_back(piece);
    for (const std::span<std::byte> piece : statistics.changing_memory()) out.push_back(piece);
    return out;
}

void Session::Impl::restore() {
    tell(Order::restore);
    if (Ranks* const ranks = process_ranks())
        for (const StatePiece& piece : changing_memory(StateAccess::load)) ranks->broadcast(piece);
    collected_ = Collected::state;
    for (Actor& actor : actors) actor.restore(pool);
}

void Session::Impl::keep_failure(const std::function<void()>& work) {
    try {
        work();
    } catch (...) {
        failure = error_from_exception();
    }
}

void Session::Impl::set_push(const std::optional<Push>& push) {
    for (Actor& actor : actors) {
        std::optional<Push> own = push;
        if (own) {
            const Rigidf from_world = motion_from(actor.to_world, {});
            own->from = apply(from_world, own->from);
            own->to = apply(from_world, own->to);
            own->acceleration = rotate(from_world.rotation, own->acceleration);
        }
        actor.simulation().set_push(own);
    }
}

bool Session::Impl::is_step_before(double target) const {
    return time() < target - 1e-6 * static_cast<double>(scene.sim.dt);
}

void Session::Impl::advance_to(double target) {
    keep_previous();
    const double dt = static_cast<double>(scene.sim.dt);
    while (is_step_before(target)) step();
    const double late = (time() - target) / dt;  // in steps, 0 to 1
    display(static_cast<float>(std::clamp(1 - late, 0.0, 1.0)));
}

void Session::Impl::display(float t) {
    collect_positions();
    for (Actor& actor : actors) actor.display(t, pool);
    if (!displayed_) displayed_ = std::make_unique<DisplayedStrands>(layout());
    displayed_->display(t, actors, merged_, pool);
}

Strands Session::Impl::strands(When when) const {
    const Actor& first = actors.front();
    if (when == When::displayed) {
        RINGLET_ASSERT(displayed_, "advance_to() comes before strands(When::displayed)");
        return {when, &displayed_->positions(), displayed_->deferred()};
    }
    if (!merged_.in_world() && when == When::at_rest) return {when, &first.groom.rest(pool)};
    if (!merged_.in_world() && !first.groom.children())
        return {when, &first.simulation().state().x};
    const auto all = std::make_shared<Channel<3>>(layout());
    for (std::size_t k = 0; k < actors.size(); ++k)
        when == When::at_rest ? actors[k].write_rest(merged_.target(k, *all), pool)
                              : actors[k].write_current(merged_.target(k, *all), pool);
    return {when, all.get(), nullptr, all};
}

StrandView Session::Impl::view(const Strands& strands) const {
    const MergedActors::Appearance appearance =
        merged_.appearance(actors, scene.render.width, pool);
    const bool is_drawn = strands.when == When::displayed;
    return {layout().get(),    strands.position,
            appearance.colour, is_drawn ? appearance.drawn_radius : appearance.radius,
            is_drawn,          strands.deferred,
            merged_.fur_tone()};
}

void Session::Impl::release_appearance() {
    merged_.release_appearance();
    for (Actor& actor : actors) actor.groom.release_appearance();
}

void Session::Impl::release_displayed(double next_time) {
    if (actors.front().live.device()) return;
    displayed_.reset();
    // A step replaces the previous state.
    if (is_step_before(next_time)) release_previous();
}

// The displayed positions are linear in time within a step, except those of children. The
// difference to the farther end of the step has the smaller rounding error.
void Session::Impl::write_velocities(Channel<3>& out) const {
    const double dt = static_cast<double>(scene.sim.dt);
    const double share = 1 - (time() - actors.front().displayed.time) / dt;
    const float end = share < 0.5 ? 1.0f : 0.0f;
    out.edit();
    for (std::size_t k = 0; k < actors.size(); ++k)
        actors[k].write_between(end, merged_.target(k, out), pool);
    const auto rate = static_cast<float>(1 / ((static_cast<double>(end) - share) * dt));
    const Channel<3>& now = strands(When::displayed).on_host();
    pool.for_each(layout()->strand_count(), [&](int s) {
        for (int i = 0; i < layout()->vertex_count(s); ++i)
            out.set_vec3(s, i, (out.vec3(s, i) - now.vec3(s, i)) * rate);
    });
}

std::size_t Session::Impl::byte_count() const {
    std::size_t out = merged_.byte_count() + (displayed_ ? displayed_->byte_count() : 0);
    for (const Actor& actor : actors) out += actor.byte_count();
    return out;
}

}  // namespace ringlet
