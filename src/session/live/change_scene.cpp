// Applies an edited scene to a running session, with as little rebuilding as the changes need.
#include <algorithm>

#include "ringlet/jobs.h"
#include "scene/write_scene.h"
#include "session/assets/environment_source.h"
#include "session/assets/scene_source.h"
#include "session/live/framing.h"
#include "session/live/head_meshes.h"
#include "session/live/session_impl.h"

namespace ringlet {

namespace {

// The work that a changed key requires, from least to most.
enum class Rebuild {
    nothing,    // takes effect at the next frame
    world,      // colliders, wind and head motion
    models,     // new simulations that continue from the current state
    grooms,     // new hair at rest on the current head poses
    everything  // the list of actors changed
};

Rebuild rebuild_for(const std::string& key, const Scene& scene) {
    const auto in = [&](std::string_view table) { return key.starts_with(table); };
    if (in("actor")) return Rebuild::everything;
    const bool shapes = in("head.sequence") || in("head.animation") || key == "head.neck";
    if (in("groom.") || shapes || key == "fur.style") return Rebuild::grooms;
    // Shells read their settings at every step; strands are grown by them.
    if (in("fur."))
        return scene.fur.style == FurStyle::strands ? Rebuild::grooms : Rebuild::nothing;
    if (in("sim.") || in("hair_hair.") || key == "wind.shelter") return Rebuild::models;
    if (in("wind.") || in("head.") || in("collider")) return Rebuild::world;
    // The drawn radius of merged actors and of patches includes the width.
    if (key == "render.hair_width" && (!scene.actors.empty() || !scene.groom.patches.empty()))
        return Rebuild::grooms;
    return Rebuild::nothing;
}

}  // namespace

void Session::Impl::absorb_overrides() {
    for (ActorSettings& actor : scene.actors)
        for (const std::string& text : options.overrides)
            if (!text.starts_with("actor.")) actor.set.push_back(text);
    options.overrides.clear();
}

Result<void> Session::Impl::change_scene(const Scene& edited) {
    const bool is_displayed = displayed_ != nullptr;
    Scene checked = edited;
    const Result<void> valid = apply_overrides(checked, {}, "", builtin_scene_text);
    if (!valid) return valid;
    Rebuild needed = Rebuild::nothing;
    for (const std::string& key : changed_keys(scene, edited))
        needed = std::max(needed, rebuild_for(key, edited));
    if (scene.paint != edited.paint) needed = std::max(needed, Rebuild::grooms);
    if (needed == Rebuild::everything) {
        Result<std::unique_ptr<Impl>> fresh = make(edited, options, {});
        if (!fresh) return fresh.error();
        *this = std::move(**fresh);
    } else {
        Result<std::vector<Scene>> scenes = load_actors(edited, options.overrides);
        if (!scenes) return scenes.error();
        const Result<std::shared_ptr<const EnvironmentMap>> map =
            edited.light.environment == scene.light.environment ? scene.light.map
                                                                : load_environment(edited);
        if (!map) return map.error();
        const Result<void> done =
            needed == Rebuild::grooms
                ? regrow(std::move(*scenes))
                : apply_settings(std::move(*scenes), needed == Rebuild::models);
        if (!done) return done;
        scene = edited;
        scene.light.map = *map;
        fit_view();
        // The view is chosen by the rest shape.
        for (Actor& actor : actors)
            if (!actor.keep_rest) actor.groom.release_rest();
    }
    if (is_displayed && !displayed_) advance_to(time());
    return {};
}

// The old actors stay until all new ones are grown, so that a failure changes nothing.
Result<void> Session::Impl::regrow(std::vector<Scene> scenes) {
    HeadMeshes meshes;
    for (const Actor& actor : actors) meshes.add(actor);
    std::vector<Actor> grown(actors.size());
    for (std::size_t k = 0; k < grown.size(); ++k) {
        Actor& actor = grown[k];
        actor.scene = std::move(scenes[k]);
        actor.to_world = actors[k].to_world;
        actor.keep_rest = options.keep_groom;
        Result<void> done = load_assets(actor, meshes);
        if (done)
            done = collider_meshes.fill(actor.scene, *actor.head_mesh, actor.shape_messages, pool);
        if (done) done = actor.regrow(pool);
        if (!done) return located(k, done.error());
    }
    const double now = time();
    actors.swap(grown);
    merged_.merge(actors, is_multi_actor(), pool);
    for (std::size_t k = 0; k < actors.size(); ++k) {
        actors[k].restart_at(now, backend(), pool);
        actors[k].simulation().set_head_offset(grown[k].simulation().head_offset());
    }
    displayed_.reset();
    return {};
}

Result<void> Session::Impl::apply_settings(std::vector<Scene> scenes, bool new_models) {
    for (std::size_t k = 0; k < actors.size(); ++k) {
        scenes[k].world.shapes = actors[k].scene.world.shapes;
        choose_motion_values(*actors[k].head_mesh, scenes[k]);
        choose_neck(*actors[k].head_mesh, scenes[k], actors[k].messages);
        const Result<void> done =
            collider_meshes.fill(scenes[k], *actors[k].head_mesh, actors[k].messages, pool);
        if (!done) return located(k, done.error());
    }
    const double now = time();
    for (std::size_t k = 0; k < actors.size(); ++k) {
        Actor& actor = actors[k];
        actor.scene = std::move(scenes[k]);
        const World& world = actor.scene.world;
        if (!new_models && actor.simulation().accepts(world))
            actor.simulation().set_world(world, pool);
        else
            actor.continue_at(now, backend(), pool);
        actor.display_colliders();
    }
    return {};
}

}  // namespace ringlet
