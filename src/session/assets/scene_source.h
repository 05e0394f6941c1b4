// Loads scenes and meshes from files or built-in resources.
#pragma once

#include "geom/mesh.h"
#include "ringlet/result.h"
#include "scene/read_actors.h"

namespace ringlet {

// Loads a scene by built-in name or by the path of a TOML file.
Result<Scene> load_scene(const std::string& name_or_path, std::span<const std::string> overrides);

// Expands the [[actor]] entries (read_actors). Scene files are relative to the scene's folder.
Result<std::vector<Scene>> load_actors(const Scene& scene, std::span<const std::string> overrides);

// Loads the scene of a [[groom.patch]] entry of `scene`, with its changes.
Result<Scene> load_patch(const Scene& scene, const GroomPatch& patch);

// Loads groom.mesh: "builtin:bust.obj", or a path relative to the scene's folder. An empty name
// gives an empty mesh.
Result<Mesh> load_head_mesh(const Scene& scene, const std::function<bool()>& is_stopped = {});

// Loads a mesh by built-in name or path. The error for a missing file starts with `key`.
// `is_stopped` is polled; once it returns true, the reading ends with an Error. May be empty.
Result<Mesh> load_mesh(const Scene& scene, const std::string& key, const std::string& name,
                       const std::function<bool()>& is_stopped = {});

}  // namespace ringlet
