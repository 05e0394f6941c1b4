// Reads a scene from TOML. Errors name file, line, column, key and remedy.
#pragma once

#include <functional>
#include <span>

#include "ringlet/result.h"
#include "scene/scene.h"

namespace ringlet {

// Returns the TOML text of a built-in scene, for `base = "NAME"` and `groom.preset`.
using FindScene = std::function<Result<std::string>(const std::string& name)>;

// `overrides` are "key=value" with the value in TOML syntax (text may be unquoted); they are
// applied last. Relative paths of the scene start at `folder`.
Result<Scene> read_scene(std::string_view toml_text, const std::string& name,
                         const std::string& folder, std::span<const std::string> overrides,
                         const FindScene& find_scene);

// Applies overrides to a scene and checks it again. Error messages start with `by`.
Result<void> apply_overrides(Scene& scene, std::span<const std::string> overrides,
                             const std::string& by, const FindScene& find_scene);

// A scene with more vertices is refused: the number is probably a typing error.
inline constexpr double kMaxVertices = 1e8;
double vertices_grown(const GroomSettings& groom);

}  // namespace ringlet
