// Loads the environment map of a scene.
#pragma once

#include "ringlet/result.h"
#include "scene/scene.h"

namespace ringlet {

// Returns the map that light.environment names: the built-in one, or a file relative to the
// scene's folder. Null if it names none.
Result<std::shared_ptr<const EnvironmentMap>> load_environment(const Scene& scene);

}  // namespace ringlet
