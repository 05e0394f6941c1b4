// Where scenes and meshes come from: files, or what travels inside the program.
#pragma once

#include "geom/mesh.h"
#include "ringlet/result.h"
#include "scene/read_actors.h"

namespace ringlet {

// A built-in name or the path of a TOML file.
Result<Scene> load_scene(const std::string& name_or_path, std::span<const std::string> overrides);

// What read_actors gives, with scenes from the same places; files are relative to the scene's
// folder.
Result<std::vector<Scene>> load_actors(const Scene& scene, std::span<const std::string> overrides);

// The mesh of groom.mesh: "builtin:bust.obj", or a path relative to the scene's folder. An empty
// name is an empty mesh.
Result<Mesh> load_body(const Scene& scene);

// A mesh from the same places; complaints that it is not there start with `key`.
Result<Mesh> load_mesh(const Scene& scene, const std::string& key, const std::string& name);

}  // namespace ringlet
