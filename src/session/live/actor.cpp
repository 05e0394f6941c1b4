#include "session/live/actor.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "session/live/scene_checks.h"

namespace ringlet {

namespace {

int step_at(double time, const SimSettings& settings) {
    return static_cast<int>(std::lround(time / static_cast<double>(settings.dt)));
}

void copy_strands(const Channel<3>& from, const StrandTarget& target, const TaskPool& pool) {
    pool.for_each(from.layout().strand_count(), [&](int s) {
        for (int i = 0; i < from.layout().vertex_count(s); ++i)
            target.positions.set_vec3(target.first + s, i, from.vec3(s, i));
    });
}

}  // namespace

std::unique_ptr<Device> SimulationBackend::open_device() const {
    return on_gpu ? open_device_or_throw() : nullptr;
}

Result<void> Actor::regrow(const TaskPool& pool) {
    Result<std::unique_ptr<ActorFur>> made = ActorFur::make(scene, head_mesh->mesh);
    if (!made) return made.error();
    fur = std::move(*made);
    messages = shape_messages;
    Result<Groom> grown = Groom::make(scene, head_mesh, fur, messages, pool);
    if (!grown) return grown.error();
    groom = std::move(*grown);
    return {};
}

std::unique_ptr<Simulation> Actor::make_simulation(int first_step, const SimulationBackend& backend,
                                                   const TaskPool& pool) {
    SimSettings settings = scene.sim;
    settings.keep_style = keeps_style(scene) ? KeepStyle::always : KeepStyle::never;
    auto out = std::make_unique<Simulation>(groom.simulated_rest(pool), settings, scene.world,
                                            scene.groom.seed, backend.lanes, first_step,
                                            backend.open_device(), pool);
    if (division.is_divided()) out->divide(division);
    if (!keep_rest) groom.release_rest();
    return out;
}

void Actor::restart(const SimulationBackend& backend, double settle, const TaskPool& pool) {
    std::vector<Vec3f> tips =
        sampled_tips(groom.simulated_rest(pool).position, pose_at(scene.world.head, 0));
    live.start(make_simulation(0, backend, pool));
    simulation().settle(settle, pool);
    if (fur) fur->restart(scene, simulation(), backend.lanes, settle, pool);
    displayed.head = simulation().head_pose();
    displayed.shoulders = simulation().shoulder_pose();
    start_tips = std::move(tips);
}

void Actor::restart_at(double time, const SimulationBackend& backend, const TaskPool& pool) {
    live.start(make_simulation(step_at(time, scene.sim), backend, pool));
    if (fur) fur->restart(scene, simulation(), backend.lanes, 0, pool);
    displayed.head = simulation().head_pose();
    displayed.shoulders = simulation().shoulder_pose();
}

void Actor::continue_at(double time, const SimulationBackend& backend, const TaskPool& pool) {
    live.continue_with(make_simulation(step_at(time, scene.sim), backend, pool), pool);
    displayed.head = simulation().head_pose();
    displayed.shoulders = simulation().shoulder_pose();
}

void Actor::step(const TaskPool& pool) {
    if (is_left_to_others()) return;
    const auto start = std::chrono::steady_clock::now();
    if (fur) fur->prepare_step(scene, simulation());
    live.step(pool);
    if (fur) fur->step(scene, simulation(), pool);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    step_seconds = spent.count();
}

StepOutcome Actor::measure(const TaskPool& pool) {
    Measurement measured = simulation().measure(pool);
    int repaired_tips = 0;
    if (fur && fur->has_coat()) {
        measured.max_stretch = std::max(measured.max_stretch, fur->coat().max_stretch());
        repaired_tips = fur->coat().repaired_count();
    }
    return {step_seconds, measured, simulation().collect_repaired(),
            simulation().collect_strain_limited(), repaired_tips};
}

double Actor::shape_time(double time) const {
    return time - static_cast<double>(scene.world.head.delay);
}

void Actor::display(float t, const TaskPool& pool) {
    displayed.head = live.head_at(t);
    displayed.shoulders = live.shoulders_at(t);
    displayed.time = live.time_at(t);
    if (fur) fur->display(t, pool);
    display_colliders();
    display_head();
}

void Actor::display_head() {
    if (scene.world.neck)
        bend_neck(*scene.world.neck, {displayed.shoulders, displayed.head}, head_mesh->mesh,
                  displayed.head_mesh);
    if (!scene.world.shapes) return;
    scene.world.shapes->positions_at(shape_time(displayed.time), displayed.head_mesh.positions);
    compute_smooth_normals(displayed.head_mesh);
}

void Actor::display_strands(float t, const StrandTarget& target, const TaskPool& pool) {
    live.device() ? display_on_gpu(t, target, pool) : write_between(t, target, pool);
}

void Actor::display_guides(float t, const TaskPool& pool) {
    if (displayed.strands.layout_ref() != groom.simulated_layout_ref())
        displayed.strands = Channel<3>(groom.simulated_layout_ref());
    live.interpolate(t, displayed.strands, 0, pool);
    displayed.skin =
        groom.skin_motions(shape_time(displayed.time), {displayed.shoulders, displayed.head}, pool);
}

// Interpolates straight into the target where that has this actor's layout. Several actors need
// their own channel first, because each has its own device.
void Actor::display_on_gpu(float t, const StrandTarget& target, const TaskPool& pool) {
    if (target.in_world && displayed.strands.layout_ref() != groom.layout())
        displayed.strands = Channel<3>(groom.layout());
    Channel<3>& out = target.in_world ? displayed.strands : target.positions;
    const NeckPose pose{displayed.shoulders, displayed.head};
    std::vector<Rigidf> skin;
    if (groom.root_shares().empty())
        skin = groom.skin_motions(shape_time(displayed.time), pose, pool);
    simulation().show_on_device({.before = &live.previous_positions(),
                                 .now = nullptr,
                                 .share = t,
                                 .children = groom.children(),
                                 .layout = groom.layout(),
                                 .rest = groom.children() ? &groom.rest(pool) : nullptr,
                                 .shown = &out,
                                 .head = displayed.head,
                                 .skin = skin,
                                 .head_shares = groom.root_shares(),
                                 .neck = {scene.world.neck.value_or(Neck{}).pivot, pose}});
}

void Actor::display_colliders() {
    const std::vector<Collider>& colliders = scene.world.colliders;
    displayed.colliders.assign(colliders.size(), {});
    if (!scene.show_colliders) return;
    for (std::size_t k = 0; k < colliders.size(); ++k) {
        const Collider& collider = colliders[k];
        if (!collider.body || !collider.shapes) continue;
        Mesh& mesh = displayed.colliders[k] = collider.body->surface();
        collider.shapes->positions_at(shape_time(displayed.time), mesh.positions);
        compute_smooth_normals(mesh);
    }
}

void Actor::write_current(const StrandTarget& target, const TaskPool& pool) const {
    const NeckPose pose{simulation().shoulder_pose(), simulation().head_pose()};
    live.copy_current(target.positions, target.first, pool);
    add_children(pose.head, groom.skin_motions(shape_time(simulation().time()), pose, pool), target,
                 pool);
    move_to_world(target, pool);
}

void Actor::write_between(float t, const StrandTarget& target, const TaskPool& pool) const {
    const NeckPose pose{live.shoulders_at(t), live.head_at(t)};
    live.interpolate(t, target.positions, target.first, pool);
    add_children(pose.head, groom.skin_motions(shape_time(live.time_at(t)), pose, pool), target,
                 pool);
    move_to_world(target, pool);
}

void Actor::write_rest(const StrandTarget& target, const TaskPool& pool) const {
    copy_strands(groom.rest(pool), target, pool);
    move_to_world(target, pool);
}

void Actor::write_displayed(const StrandTarget& target, const TaskPool& pool) const {
    copy_strands(displayed.strands, target, pool);
    add_children(displayed.head, displayed.skin, target, pool);
    move_to_world(target, pool);
}

void Actor::add_children(const Rigidf& head, std::span<const Rigidf> skin,
                         const StrandTarget& target, const TaskPool& pool) const {
    if (!groom.children()) return;
    const int guides = groom.simulated_count();
    const auto first_child = skin.empty() ? 0 : static_cast<std::size_t>(guides);
    groom.children()->interpolate(target.positions, target.first, {head, skin.first(first_child)},
                                  {head, skin.subspan(first_child)}, target.positions,
                                  target.first + guides, pool);
}

void Actor::move_to_world(const StrandTarget& target, const TaskPool& pool) const {
    if (!target.in_world) return;
    const StrandLayout& layout = *groom.layout();
    pool.for_each(layout.strand_count(), [&](int s) {
        for (int i = 0; i < layout.vertex_count(s); ++i) {
            const int strand = target.first + s;
            target.positions.set_vec3(strand, i, apply(to_world, target.positions.vec3(strand, i)));
        }
    });
}

MemorySpans Actor::changing_memory(StateAccess use) {
    MemorySpans out = live.changing_memory(use);
    if (!fur) return out;
    for (const std::span<std::byte> piece : fur->changing_memory()) out.push_back(piece);
    return out;
}

void Actor::restore(const TaskPool& pool) {
    live.restore(pool);
    if (fur) fur->restore(scene, simulation());
}

Hash Actor::hash() const {
    Hash hash = hash_of(simulation().state().x, simulation().state().v);
    if (fur && fur->has_coat()) fur->coat().add_to(hash);
    return hash;
}

std::size_t Actor::byte_count() const {
    return groom.byte_count() + live.byte_count() + displayed.strands.byte_count();
}

}  // namespace ringlet
