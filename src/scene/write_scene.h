// Scene to TOML: the way back of read_scene, for whoever changed a scene by hand.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace ringlet {

// Only what differs from a scene that says nothing. Files it names by a relative path are named
// relative to `folder`, where the text is to be put; reading it there gives the same scene.
std::string write_scene(const Scene& scene, const std::string& folder);

// Keys whose values differ, in the table's order; a list that differs anywhere is one key.
std::vector<std::string> changed_keys(const Scene& a, const Scene& b);

}  // namespace ringlet
