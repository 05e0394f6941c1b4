// Expands the [[actor]] entries of a scene into one scene per head.
#pragma once

#include "scene/read_scene.h"

namespace ringlet {

using LoadScene = std::function<Result<Scene>(const std::string& name_or_path)>;

// Returns one scene per actor, in order: the scene that the actor names, or `scene` itself, changed
// by its `set` and then by `overrides`. Without actors, returns `scene`. Gravity, force and wind
// are rotated into the actor's frame, in which the actor is simulated.
Result<std::vector<Scene>> read_actors(const Scene& scene, std::span<const std::string> overrides,
                                       const FindScene& find_scene, const LoadScene& load_scene);

// The notices of a scene and of the scenes of its actors, each once.
std::vector<std::string> all_notices(const Scene& scene, std::span<const Scene> heads);

// Transforms from the actor's frame to world space.
Rigidf actor_to_world(const ActorSettings& actor);

}  // namespace ringlet
