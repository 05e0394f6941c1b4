#include "session/assets/scene_source.h"

#include <filesystem>

#include "base/files.h"
#include "io/mesh_format.h"
#include "io/obj/obj_reader.h"
#include "ringlet/jobs.h"
#include "scene/nearest_name.h"
#include "scene/parameters.h"
#include "scene/read_scene.h"
#include "session/assets/resources.h"
#include "session/boundary.h"
#include "session/new_scene.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSceneEnding = ".toml";
constexpr std::uint64_t kMaxSceneBytes = std::uint64_t{16} << 20;

Error no_such_scene(const std::string& name) {
    std::vector<std::string> names;
    for (const SceneInfo& scene : builtin_scenes()) names.push_back(scene.name);
    const std::string near = nearest_name(name, names);
    return Error{"no scene file and no built-in scene \"" + name + "\"; " +
                 (near.empty() ? "`ringlet scenes` lists the built-in scenes"
                               : "did you mean \"" + near + "\"?")};
}

Result<Mesh> load_builtin_mesh(const std::string& key, const std::string& name) {
    const std::optional<std::string_view> obj = find_resource(name);
    if (!obj) {
        std::string known;
        for (const Resource& resource : all_resources())
            if (resource.name.ends_with(".obj"))
                known += (known.empty() ? "" : ", ") + std::string(resource.name);
        return Error{key + ": no built-in mesh \"" + name + "\"; the built-in meshes are " + known};
    }
    const std::string mtl = fs::path(name).replace_extension(".mtl").string();
    return parse_obj(*obj, find_resource(mtl).value_or(""), name);
}

}  // namespace

std::vector<SceneInfo> builtin_scenes() {
    std::vector<SceneInfo> out;
    for (const Resource& resource : all_resources()) {
        if (!resource.name.ends_with(kSceneEnding)) continue;
        const std::string name(resource.name.substr(0, resource.name.size() - kSceneEnding.size()));
        const Result<Scene> scene = load_scene(name, {});
        out.push_back({name, scene ? scene->title : scene.error().text()});
    }
    return out;
}

std::vector<std::string> preset_names() {
    return {"straight", "blunt", "bob",    "pixie", "crew",     "side_part",
            "slick",    "shag",  "waves",  "curls", "ringlets", "long_curls",
            "coils",    "afro",  "mohawk", "beard", "fur"};
}

Result<std::string> builtin_scene_text(const std::string& name) try {
    const auto bytes = find_resource(name + std::string(kSceneEnding));
    if (!bytes) return no_such_scene(name);
    return std::string(*bytes);
} catch (...) {
    return error_from_exception();
}

std::string scene_keys() { return describe_keys(); }

Result<Scene> load_scene(const std::string& name_or_path, std::span<const std::string> overrides) {
    const auto builtin = find_resource(name_or_path + std::string(kSceneEnding));
    if (builtin) return read_scene(*builtin, name_or_path, ".", overrides, builtin_scene_text);
    std::error_code ignored;
    if (!name_or_path.ends_with(kSceneEnding) && !fs::exists(name_or_path, ignored))
        return no_such_scene(name_or_path);
    const fs::path path(name_or_path);
    const std::string folder = path.parent_path().empty() ? "." : path.parent_path().string();
    if (is_mesh_or_groom(name_or_path))
        return read_scene(scene_for(path.filename().string()), name_or_path, folder, overrides,
                          builtin_scene_text);
    const Result<std::string> text = read_file(name_or_path, kMaxSceneBytes);
    if (!text) return text.error();
    return read_scene(*text, name_or_path, folder, overrides, builtin_scene_text);
}

// A scene that `scene` names.
static Result<Scene> load_named(const Scene& scene, const std::string& name) {
    const bool builtin = find_resource(name + std::string(kSceneEnding)).has_value();
    const bool file = !builtin && name.ends_with(kSceneEnding);
    Result<Scene> loaded = load_scene(file ? (fs::path(scene.folder) / name).string() : name, {});
    // Files that `scene` adds to a built-in scene are relative to `scene`.
    if (loaded && builtin) loaded->folder = scene.folder;
    return loaded;
}

Result<std::vector<Scene>> load_actors(const Scene& scene, std::span<const std::string> overrides) {
    const auto load = [&](const std::string& name) { return load_named(scene, name); };
    return read_actors(scene, overrides, builtin_scene_text, load);
}

Result<Scene> load_patch(const Scene& scene, const GroomPatch& patch) {
    const auto located = [&](const std::string& message) {
        return Error{"groom.patch: " + message, patch.file, patch.line};
    };
    if (patch.scene.empty()) return located("scene: name the scene whose groom grows here");
    Result<Scene> out = load_named(scene, patch.scene);
    if (!out) return located("scene: " + out.error().text());
    const Result<void> done = apply_overrides(*out, patch.set, "set", builtin_scene_text);
    if (!done) return located(done.error().text());
    out->groom.patches.clear();
    if (patch.hair_colour) out->groom.colour.root = out->groom.colour.tip = scene.groom.colour.root;
    return out;
}

Result<Mesh> load_head_mesh(const Scene& scene, const std::function<bool()>& is_stopped) {
    const std::string& name = scene.groom.mesh;
    return name.empty() ? Mesh{} : load_mesh(scene, "groom.mesh", name, is_stopped);
}

Result<Mesh> load_mesh(const Scene& scene, const std::string& key, const std::string& name,
                       const std::function<bool()>& is_stopped) {
    if (name.starts_with(kBuiltin)) return load_builtin_mesh(key, name.substr(kBuiltin.size()));
    const fs::path path = fs::path(scene.folder) / name;
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return Error{key + ": no such file \"" + name + "\"; looked in " + scene.folder + "/",
                     scene.name};
    return read_mesh(path, is_stopped);
}

}  // namespace ringlet
