// Scenes for files that are not scenes: a mesh becomes a head with hair, a groom is put on the
// built-in bust.
#pragma once

#include <string>

#include "session/styles.h"

namespace ringlet {

// True if the file is a mesh or a groom by its name, so that scene_for() describes it.
bool is_mesh_or_groom(const std::string& file);

// The TOML text of a scene that shows a mesh with hair, or a groom on the built-in bust, with
// everything that can be guessed left to the session. `file` is relative to the folder of the
// scene; `base` is the built-in scene with the hairstyle.
std::string scene_for(const std::string& file, const std::string& base = kDefaultStyle);

}  // namespace ringlet
