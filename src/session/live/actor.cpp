#include "session/live/actor.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/assert.h"
#include "groom/grow.h"
#include "groom/guides.h"

namespace ringlet {

Result<void> Actor::regrow(const TaskPool& pool) {
    Result<std::unique_ptr<ActorFur>> furred = ActorFur::make(scene, body->mesh);
    if (!furred) return furred.error();
    fur = std::move(*furred);
    Result<GroomMaps> loaded = load_maps(scene);
    if (!loaded) return loaded.error();
    maps = std::move(*loaded);
    Result<StrandSet> strands = grown(pool);
    if (!strands) return strands.error();
    groom = std::move(*strands);
    const int count = groom.strand_count(), guide_count = grown_scene().groom.guides;
    if (guide_count > 0 && guide_count < count) {
        guides = part_of(groom, 0, guide_count);
        children = std::make_unique<Children>(guides, part_of(groom, guide_count, count),
                                              choose_guides(groom, guide_count, pool));
    } else {
        guides = {};
        children.reset();
    }
    groom.region = {};  // guides are chosen
    root_binding = {};
    if (scene.world.shapes && children) {
        std::vector<Vec3f> roots;
        for (int s = 0; s < count; ++s) roots.push_back(groom.position.vec3(s, 0));
        root_binding = RootBinding(*scene.world.shapes, roots);
    }
    return {};
}

Result<StrandSet> Actor::grown(const TaskPool& pool) const {
    Result<StrandSet> out = load_groom(grown_scene(), maps, *body, pool);
    if (out && scene.fur.style == FurStyle::strands) fur->bend(scene, *out, pool);
    return out;
}

void Actor::paint_groom(const TaskPool& pool) {
    if (!groom.has_appearance()) paint(grown_scene().groom, maps, groom, pool);
}

// Where they can be grown again, and nobody follows those that are simulated.
void Actor::let_rest_go() {
    if (!keeps_rest && !children && !is_imported(scene)) groom.position = {};
}

void Actor::need_rest(const TaskPool& pool) {
    if (groom.strand_count() == 0 || !groom.position.empty()) return;
    Result<StrandSet> again = grown(pool);
    RINGLET_ASSERT(again, "the same could be grown before");
    groom.position = std::move(again->position);
}

void Actor::restart(LaneKind lanes, std::unique_ptr<Device> device, double settle,
                    const TaskPool& pool) {
    need_rest(pool);
    simulation = std::make_unique<Simulation>(simulated(), scene.sim, scene.world, scene.groom.seed,
                                              lanes, 0, std::move(device), pool);
    let_rest_go();
    simulation->settle(settle, pool);
    if (fur) fur->restart(scene, *simulation, lanes, settle, pool);
    before = v_before = shown = {};
    head_before = head_shown = simulation->head_pose();
}

void Actor::restart_at(double time, const Simulation* from, LaneKind lanes,
                       std::unique_ptr<Device> device, const TaskPool& pool) {
    need_rest(pool);
    const double steps = time / static_cast<double>(scene.sim.dt);
    simulation =
        std::make_unique<Simulation>(simulated(), scene.sim, scene.world, scene.groom.seed, lanes,
                                     static_cast<int>(std::lround(steps)), std::move(device), pool);
    let_rest_go();
    if (from) {
        simulation->continue_from(*from, pool);
    } else {
        before = v_before = shown = {};
        if (fur) fur->restart(scene, *simulation, lanes, 0, pool);
    }
    head_before = head_shown = simulation->head_pose();
}

Actor::StepOutcome Actor::step(const TaskPool& pool) {
    if (!before.empty()) simulation->copy_state(before, v_before);
    head_before = simulation->head_pose();
    const auto start = std::chrono::steady_clock::now();
    if (fur) fur->follow(scene, *simulation);
    simulation->step(pool);
    if (simulation->device()) simulation->device()->finish();
    if (fur) fur->step(scene, *simulation, pool);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    Measurement measured = simulation->measure(pool);
    int repaired_tips = 0;
    if (fur && fur->has_coat()) {
        measured.max_stretch = std::max(measured.max_stretch, fur->coat().max_stretch());
        repaired_tips = fur->coat().repaired_count();
    }
    return {spent.count(), measured, simulation->collect_repaired(),
            simulation->collect_strain_limited(), repaired_tips};
}

void Actor::begin_showing() {
    if (!before.empty()) return;
    before = simulation->state().x;
    shown = Channel<3>(groom.layout);
    Device* const device = simulation->device();
    if (!device) return;
    device->host_changed(before.block(0));
    device->host_changed(shown.block(0));
}

void Actor::show(float t, const TaskPool& pool) {
    head_shown = between(head_before, simulation->head_pose(), t);
    time_shown = simulation->time() - static_cast<double>((1 - t) * scene.sim.dt);
    if (groom.strand_count() > 0) show_strands(t, pool);
    if (fur) fur->show(t, pool);
    shape_colliders();
    if (!scene.world.shapes) return;
    scene.world.shapes->positions_at(time_shown - static_cast<double>(scene.world.head.delay),
                                     drawn_body.positions);
    compute_smooth_normals(drawn_body);
}

void Actor::show_strands(float t, const TaskPool& pool) {
    if (simulation->device()) {
        const std::vector<Rigidf> skin = skin_at(time_shown, pool);
        simulation->show_on_device({.before = before.block(0),
                                    .now = nullptr,
                                    .share = t,
                                    .children = children.get(),
                                    .layout = groom.layout,
                                    .rest = groom.position.block(0),
                                    .shown = shown.block(0),
                                    .head = head_shown,
                                    .skin = skin});
        return;
    }
    const Channel<3>& now = simulation->state().x;
    Channel<3> between_steps = now;
    const StrandLayout& layout = now.layout();
    pool.for_each(layout.strand_count(), [&](int s) {
        for (int i = 0; i < layout.vertex_count(s); ++i) {
            const Vec3f a = before.vec3(s, i), b = now.vec3(s, i);
            between_steps.set_vec3(s, i, a + (b - a) * t);
        }
    });
    spread(between_steps, head_shown, time_shown, shown, pool);
}

void Actor::shape_colliders() {
    const std::vector<Collider>& colliders = scene.world.colliders;
    drawn_colliders.assign(colliders.size(), {});
    if (!scene.show_colliders) return;
    for (std::size_t k = 0; k < colliders.size(); ++k) {
        const Collider& collider = colliders[k];
        if (!collider.body || !collider.shapes) continue;
        Mesh& drawn = drawn_colliders[k] = collider.body->surface();
        collider.shapes->positions_at(time_shown - static_cast<double>(scene.world.head.delay),
                                      drawn.positions);
        compute_smooth_normals(drawn);
    }
}

std::vector<Rigidf> Actor::skin_at(double time, const TaskPool& pool) const {
    if (root_binding.empty()) return {};
    return root_binding.motions_at(time - static_cast<double>(scene.world.head.delay), pool);
}

void Actor::spread(const Channel<3>& guides_now, const Rigidf& head, double time, Channel<3>& all,
                   const TaskPool& pool) {
    if (!children) {
        all = guides_now;
        return;
    }
    Channel<3> others = children->rest();
    const int guide_count = guides.strand_count();
    const std::vector<Rigidf> skin = skin_at(time, pool);
    const std::span<const Rigidf> moved(skin);
    const auto first = skin.empty() ? 0 : static_cast<std::size_t>(guide_count);
    children->interpolate(guides_now, {head, moved.first(first)}, {head, moved.subspan(first)},
                          others, pool);
    pool.for_each(groom.strand_count(), [&](int s) {
        const Channel<3>& from = s < guide_count ? guides_now : others;
        const int id = s < guide_count ? s : s - guide_count;
        for (int i = 0; i < groom.layout->vertex_count(s); ++i)
            all.set_vec3(s, i, from.vec3(id, i));
    });
}

const Channel<3>& Actor::present(Channel<3>& all, const TaskPool& pool) {
    const Channel<3>& now = simulation->state().x;
    if (!children) return now;
    all = Channel<3>(groom.layout);
    spread(now, simulation->head_pose(), simulation->time(), all, pool);
    return all;
}

Hash Actor::hash() const {
    Hash hash = hash_of(simulation->state().x, simulation->state().v);
    if (fur && fur->has_coat()) fur->coat().add_to(hash);
    return hash;
}

std::size_t Actor::byte_count() const {
    std::size_t own = groom.byte_count() + guides.byte_count() + simulation->byte_count();
    for (const Channel<3>* channel : {&before, &v_before, &shown}) own += channel->byte_count();
    return own + (children ? children->byte_count() : 0);
}

}  // namespace ringlet
