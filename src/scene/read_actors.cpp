#include "scene/read_actors.h"

#include <fmt/format.h>

#include <algorithm>

namespace ringlet {

namespace {

// `--set actor.0.at=...` changes only the enclosing scene; all other overrides apply to each actor.
std::vector<std::string> for_actors(std::span<const std::string> overrides) {
    std::vector<std::string> out;
    for (const std::string& text : overrides)
        if (!text.starts_with("actor.")) out.push_back(text);
    return out;
}

void rotate_to_actor(const Rigidf& to_world, Scene& scene) {
    const Quatf back = conjugate(to_world.rotation);
    for (Vec3f* a : {&scene.sim.gravity, &scene.sim.force, &scene.world.wind.velocity})
        *a = rotate(back, *a);
}

Result<Scene> read_actor(const Scene& scene, const ActorSettings& actor,
                         std::span<const std::string> overrides, const FindScene& find_scene,
                         const LoadScene& load_scene) {
    Scene own = scene;
    own.actors.clear();
    own.notices.clear();
    if (!actor.scene.empty()) {
        Result<Scene> loaded = load_scene(actor.scene);
        if (!loaded) return Error{"scene: " + loaded.error().text()};
        if (!loaded->actors.empty())
            return Error{fmt::format(
                "scene: \"{}\" contains actors itself; name a scene with one head", actor.scene)};
        own = std::move(*loaded);
    }
    Result<void> done = apply_overrides(own, actor.set, "set", find_scene);
    if (done) done = apply_overrides(own, overrides, "--set", find_scene);
    if (!done) return done.error();
    if (own.sim.dt != scene.sim.dt)
        return Error{fmt::format("sim.dt is {} s, but {} s in the enclosing scene; use the same",
                                 own.sim.dt, scene.sim.dt)};
    own.world.head.delay = actor.delay;
    own.world.wind.to_air_frame = actor_to_world(actor);
    if (actor.turn_degrees != 0) rotate_to_actor(actor_to_world(actor), own);
    return own;
}

}  // namespace

Rigidf actor_to_world(const ActorSettings& actor) {
    return {quat_from_axis_angle(Vec3f{0, 1, 0}, actor.turn_degrees * (kPi / 180)), actor.at};
}

std::vector<std::string> all_notices(const Scene& scene, std::span<const Scene> heads) {
    std::vector<std::string> out = scene.notices;
    for (const Scene& head : heads)
        for (const std::string& notice : head.notices)
            if (std::ranges::find(out, notice) == out.end()) out.push_back(notice);
    return out;
}

Result<std::vector<Scene>> read_actors(const Scene& scene, std::span<const std::string> overrides,
                                       const FindScene& find_scene, const LoadScene& load_scene) {
    if (scene.actors.empty()) return std::vector<Scene>{scene};
    const std::vector<std::string> to_all = for_actors(overrides);
    std::vector<Scene> out;
    double vertices = 0;
    for (std::size_t k = 0; k < scene.actors.size(); ++k) {
        const ActorSettings& actor = scene.actors[k];
        const auto located = [&](const std::string& message) {
            return Error{fmt::format("actor {}: {}", k, message), actor.file, actor.line};
        };
        Result<Scene> own = read_actor(scene, actor, to_all, find_scene, load_scene);
        if (!own) return located(own.error().text());
        vertices += vertices_grown(own->groom);
        if (vertices > kMaxVertices)
            return located(fmt::format("{:g} vertices so far, more than {:g}; lower groom.strands",
                                       vertices, kMaxVertices));
        out.push_back(std::move(*own));
    }
    return out;
}

}  // namespace ringlet
