// From a scene to the parts of a session, and from one scene to the next while it runs.
#include <algorithm>
#include <map>

#include "ringlet/jobs.h"
#include "scene/write_scene.h"
#include "session/assets/scene_source.h"
#include "session/assets/shape_source.h"
#include "session/boundary.h"
#include "session/live/session_impl.h"

namespace ringlet {

namespace {

Mesh with_tinted_scalp(Mesh body, const GroomSettings& groom, const FurSettings& fur) {
    const bool furry = fur.style != FurStyle::none;
    if (groom.strands == 0 && !furry) return body;
    if (furry && body.materials.empty()) {
        body.materials.push_back({"skin"});
        body.triangle_material.assign(body.indices.size() / 3, 0);
    }
    for (Material& material : body.materials)
        if (material.name == groom.scalp || (furry && groom.scalp.empty()))
            material.colour += (groom.colour.root - material.colour) * groom.scalp_tint;
    return body;
}

// Meshes as they are asked for, each read once.
class Bodies {
public:
    // What an actor has already need not be read again.
    void add(const Actor& actor) {
        known_[{actor.scene.folder, actor.scene.groom.mesh}] = actor.body;
    }

    Result<std::shared_ptr<Body>> of(const Scene& scene, const Listener& listener) {
        std::shared_ptr<Body>& known = known_[{scene.folder, scene.groom.mesh}];
        if (known) return known;
        Result<Mesh> mesh = load_body(scene);
        if (!mesh) return mesh.error();
        for (const std::string& warning : mesh->warnings)
            listener.notify(scene.groom.mesh + ": " + warning);
        known = std::make_shared<Body>(Body{std::move(*mesh)});
        return known;
    }

private:
    std::map<std::pair<std::string, std::string>, std::shared_ptr<Body>> known_;
};

Result<void> dress(Actor& actor, Bodies& bodies, const Listener& listener) {
    Result<std::shared_ptr<Body>> body = bodies.of(actor.scene, listener);
    if (!body) return body.error();
    actor.body = *body;
    const Result<std::shared_ptr<const MeshSequence>> shapes = load_shapes(
        actor.scene.world.head.sequence, actor.scene.folder, actor.body->mesh, "groom.mesh");
    if (!shapes) return Error{"head.sequence: " + shapes.error().text(), actor.scene.name};
    actor.scene.world.shapes = *shapes;
    actor.drawn_body = with_tinted_scalp(actor.body->mesh, actor.scene.groom, actor.scene.fur);
    return {};
}

// What a change of a key asks for, from the least to the most.
enum class Consequence { none, world, models, grooms, actors };

Consequence consequence_of(const std::string& key, const Scene& scene) {
    const auto in = [&](std::string_view table) { return key.starts_with(table); };
    if (in("actor")) return Consequence::actors;
    if (in("groom.") || in("head.sequence") || key == "fur.style") return Consequence::grooms;
    // Shells take up their new settings as they move; strands are grown by them.
    if (in("fur."))
        return scene.fur.style == FurStyle::strands ? Consequence::grooms : Consequence::none;
    if (in("sim.") || in("hair_hair.") || key == "wind.shelter") return Consequence::models;
    if (in("wind.") || in("head.") || in("collider")) return Consequence::world;
    return Consequence::none;
}

}  // namespace

Result<std::unique_ptr<Session::Impl>> Session::Impl::make(Scene scene,
                                                           const SessionOptions& options,
                                                           const Listener& listener) {
    Result<std::vector<Scene>> heads = load_actors(scene, options.overrides);
    if (!heads) return heads.error();
    for (const std::string& notice : all_notices(scene, *heads)) listener.notify(notice);
    auto parts = std::make_unique<Impl>();
    parts->scene = std::move(scene);
    parts->options = options;
    parts->pool = TaskPool(options.threads);
    const StopScope stop(parts->pool, listener);
    Bodies bodies;
    int strands = 0;
    double vertices = 0;
    for (std::size_t k = 0; k < heads->size(); ++k) {
        Actor& actor = parts->actors.emplace_back();
        actor.scene = std::move((*heads)[k]);
        actor.keeps_rest = options.keep_groom;
        if (!parts->scene.actors.empty()) actor.place = actor_to_world(parts->scene.actors[k]);
        const Result<void> dressed = dress(actor, bodies, listener);
        if (!dressed) return parts->located(k, dressed.error());
        strands += actor.scene.groom.strands;
        vertices += vertices_grown(actor.scene.groom);
    }
    if (vertices > 1e6) listener.notify("growing " + std::to_string(strands) + " strands");
    const Result<void> built = parts->rebuild();
    if (!built) return built.error();
    return parts;
}

void Session::Impl::absorb_overrides() {
    for (ActorSettings& actor : scene.actors)
        for (const std::string& text : options.overrides)
            if (!text.starts_with("actor.")) actor.set.push_back(text);
    options.overrides.clear();
}

Result<void> Session::Impl::change_scene(const Scene& edited) {
    const bool is_shown = !actors.front().before.empty();
    Scene checked = edited;
    const Result<void> sound = apply_overrides(checked, {}, "", builtin_scene_text);
    if (!sound) return sound;
    Consequence most = Consequence::none;
    for (const std::string& key : changed_keys(scene, edited)) {
        most = std::max(most, consequence_of(key, edited));
        // Strands of a cast carry their width with them.
        if (is_cast() && key == "render.hair_width") most = std::max(most, Consequence::grooms);
    }
    if (most == Consequence::actors) {
        Result<std::unique_ptr<Impl>> fresh = make(edited, options, {});
        if (!fresh) return fresh.error();
        *this = std::move(**fresh);
        if (is_shown) advance_to(time());
        return {};
    }
    Result<std::vector<Scene>> heads = load_actors(edited, options.overrides);
    if (!heads) return heads.error();
    const Result<void> done = most == Consequence::grooms
                                  ? regrow_as(std::move(*heads))
                                  : go_on_as(std::move(*heads), most == Consequence::models);
    if (!done) return done;
    scene = edited;
    if (is_shown && actors.front().before.empty()) advance_to(time());
    return {};
}

// The old heads stay whole until all new ones are grown.
Result<void> Session::Impl::regrow_as(std::vector<Scene> heads) {
    Bodies bodies;
    for (const Actor& actor : actors) bodies.add(actor);
    std::vector<Actor> grown(actors.size());
    for (std::size_t k = 0; k < grown.size(); ++k) {
        Actor& actor = grown[k];
        actor.scene = std::move(heads[k]);
        actor.place = actors[k].place;
        actor.keeps_rest = options.keep_groom;
        Result<void> done = dress(actor, bodies, {});
        if (done) done = actor.regrow(pool);
        if (done) done = collider_meshes.fill(actor.scene, actor.body->mesh, pool);
        if (!done) return located(k, done.error());
    }
    const double now = time();
    actors.swap(grown);
    if (is_cast()) gather_grooms();
    for (std::size_t k = 0; k < actors.size(); ++k) {
        actors[k].restart_at(now, nullptr, lane_kind(), make_device(), pool);
        actors[k].simulation->set_head_offset(grown[k].simulation->head_offset());
    }
    return {};
}

Result<void> Session::Impl::go_on_as(std::vector<Scene> heads, bool new_models) {
    for (std::size_t k = 0; k < actors.size(); ++k) {
        heads[k].world.shapes = actors[k].scene.world.shapes;
        const Result<void> done = collider_meshes.fill(heads[k], actors[k].body->mesh, pool);
        if (!done) return located(k, done.error());
    }
    const double now = time();
    for (std::size_t k = 0; k < actors.size(); ++k) {
        Actor& actor = actors[k];
        actor.scene = std::move(heads[k]);
        const World& world = actor.scene.world;
        if (!new_models && world.colliders.size() == actor.simulation->colliders().size()) {
            actor.simulation->set_world(world, pool);
        } else {
            const std::unique_ptr<Simulation> before = std::move(actor.simulation);
            actor.restart_at(now, before.get(), lane_kind(), make_device(), pool);
        }
        actor.shape_colliders();
    }
    return {};
}

}  // namespace ringlet
