// Writes a scene as TOML, for scenes that were changed in the viewer.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace ringlet {

// Writes only values that differ from their defaults. Relative file names are rewritten relative to
// `folder`, the folder of the new file; reading the text there gives the same scene.
std::string write_scene(const Scene& scene, const std::string& folder);

// The keys whose values differ, in the order of the table. A list counts as one key.
std::vector<std::string> changed_keys(const Scene& a, const Scene& b);

}  // namespace ringlet
