// The heads of a scene: each actor as a scene of its own, and where it stands.
#pragma once

#include "scene/read_scene.h"

namespace ringlet {

using LoadScene = std::function<Result<Scene>(const std::string& name_or_path)>;

// One scene per actor, in order: the one it names or this one, changed by its `set`, then by
// `overrides` (the command line wins). A scene without actors is its own only one. What the world
// gives to all (gravity, force, wind) is turned into the actor's frame: an actor knows nothing of
// where it stands.
Result<std::vector<Scene>> read_actors(const Scene& scene, std::span<const std::string> overrides,
                                       const FindScene& find_scene, const LoadScene& load_scene);

// From the actor's frame to the world's.
Rigidf place_of(const ActorSettings& actor);

}  // namespace ringlet
