// TOML to Scene, with errors that name file, line, column, key and remedy.
#pragma once

#include <functional>
#include <span>

#include "ringlet/result.h"
#include "scene/scene.h"

namespace ringlet {

// Text of a scene that others start from by `base = "NAME"`.
using FindScene = std::function<Result<std::string>(const std::string& name)>;

// `overrides` are "key=value" with the value as TOML writes it (text may go unquoted); they are
// applied last. `folder` is where relative paths of the scene start.
Result<Scene> read_scene(std::string_view toml_text, const std::string& name,
                         const std::string& folder, std::span<const std::string> overrides,
                         const FindScene& find_scene);

// Applies overrides to a scene that was read, and checks it again; complaints start with `by`.
Result<void> apply_overrides(Scene& scene, std::span<const std::string> overrides,
                             const std::string& by, const FindScene& find_scene);

// More vertices than this are a slip of the keyboard.
inline constexpr double kMaxVertices = 1e8;
double vertices_grown(const GroomSettings& groom);

}  // namespace ringlet
