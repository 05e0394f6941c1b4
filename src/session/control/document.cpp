#include "session/control/document.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/files.h"
#include "io/groom_file.h"
#include "io/mesh_format.h"
#include "ringlet/jobs.h"
#include "scene/read_scene.h"
#include "scene/write_scene.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

constexpr double kQuick = 0.03;  // s; changes that apply faster than this apply every frame

}  // namespace

Document::Document(SessionControl control) : control_(std::move(control)) {
    const Scene& scene = control_.scene();
    draft_ = std::make_unique<Scene>(scene);
    settled_ = std::make_unique<Scene>(scene);
    original_ = std::make_unique<Scene>(scene);
    saved_ = std::make_unique<Scene>(scene);
}

Result<Document> Document::open(const std::string& scene, const SessionOptions& options,
                                const Listener& listener) {
    Result<SessionControl> control = SessionControl::open(scene, options, listener);
    if (!control) return control.error();
    return Document(std::move(*control));
}

void Document::changed(const std::string& key) {
    history_.changed(*settled_, key);
    *settled_ = *draft_;
    pending_ = true;
}

Result<void> Document::apply() {
    pending_ = false;
    const auto start = std::chrono::steady_clock::now();
    Result<void> done = control_.change_scene(*draft_);
    cost_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!done) {
        *draft_ = control_.scene();
        history_.forget_last();
    }
    adopt_automatic_values();
    *settled_ = *draft_;
    compare_with_saved();
    return done;
}

Result<void> Document::apply_when_due(double now, bool going_on) {
    if (!pending_) return {};
    if (going_on && cost_ > kQuick && now - last_apply_ < 3 * cost_) return {};
    Result<void> done = apply();
    last_apply_ = now;
    return done;
}

Result<void> Document::set_all(const std::vector<std::string>& assignments,
                               const std::string& what) {
    Scene edited = *draft_;
    const Result<void> done = apply_overrides(edited, assignments, "set", builtin_scene_text);
    if (!done) return done;
    if (edited.groom.painted != draft_->groom.painted) edited.paint = nullptr;
    *draft_ = std::move(edited);
    history_.finish();
    changed(what);
    history_.finish();
    return apply();
}

Result<void> Document::set(const std::string& assignment) {
    return set_all({assignment}, assignment.substr(0, assignment.find('=')));
}

Result<void> Document::apply_preset(const std::string& name) {
    return set_all({"groom.preset=" + name}, "hairstyle " + name);
}

Result<std::string> Document::undo() {
    const std::string what = history_.next_undo();
    return restore(history_.undo(*draft_), what);
}

Result<std::string> Document::redo() {
    const std::string what = history_.next_redo();
    return restore(history_.redo(*draft_), what);
}

Result<std::string> Document::restore(std::optional<Scene> scene, const std::string& what) {
    if (!scene) return std::string();
    if (!what.starts_with("camera.")) {
        scene->camera = draft_->camera;
        scene->automatic.camera_eye = draft_->automatic.camera_eye;
        scene->automatic.camera_target = draft_->automatic.camera_target;
        scene->automatic.camera_focus = draft_->automatic.camera_focus;
    }
    *draft_ = std::move(*scene);
    *settled_ = *draft_;
    const Result<void> done = apply();
    if (!done) return done.error();
    return what;
}

void Document::paint(const BrushDab& dab, bool mirrored) {
    auto painted =
        std::make_shared<GrowthPaint>(draft_->paint ? *draft_->paint : control_.growth_paint());
    mirrored ? painted->dab_mirrored(dab, control_.mirror_x()) : painted->dab(dab);
    draft_->paint = std::move(painted);
    changed("painting");
}

// Writes the painting beside the scene file `path` and names it in `saved`.
Result<void> Document::save_painting(const std::string& path, Scene& saved) const {
    if (!saved.paint) return {};
    const fs::path file = fs::path(path).replace_extension(".growth");
    saved.groom.painted = fs::absolute(file)
                              .lexically_normal()
                              .lexically_relative(fs::absolute(saved.folder).lexically_normal())
                              .string();
    return write_file(file, saved.paint->text());
}

// The panels show the values that the session chose.
void Document::adopt_automatic_values() {
    Scene running = control_.scene();
    const ParameterTable from = parameters_of(running), to = parameters_of(*draft_);
    for (std::size_t k = 0; k < to.parameters.size(); ++k)
        if (to.parameters[k].automatic && *to.parameters[k].automatic)
            copy_value(from.parameters[k], to.parameters[k]);
}

void Document::set_camera(const Camera& camera) {
    for (Scene* scene : {draft_.get(), settled_.get()}) {
        scene->camera = camera;
        scene->automatic.camera_eye = scene->automatic.camera_target = false;
    }
    control_.set_camera(camera);
}

std::string Document::save_path() const {
    if (!saved_path_.empty()) return saved_path_;
    const fs::path from(draft_->name);  // a built-in name, or the path of a file
    const std::string stem = from.stem().string();
    for (int k = 1;; ++k) {
        const std::string name =
            (from.parent_path() / (stem + "_" + std::to_string(k) + ".toml")).string();
        std::error_code none;
        if (!fs::exists(name, none)) return name;
    }
}

Result<void> Document::save(const std::string& path) {
    if (!path.ends_with(".toml")) return Error{"a scene file must end in .toml", path};
    std::string folder = fs::path(path).parent_path().string();
    if (folder.empty()) folder = ".";
    Scene scene = *draft_;
    Result<void> done = save_painting(path, scene);
    if (done) done = write_file(path, write_scene(scene, folder));
    if (!done) return done;
    saved_path_ = path;
    *saved_ = *draft_;
    is_saved_ = true;
    return {};
}

void Document::compare_with_saved() {
    Scene here = *draft_;
    here.camera = saved_->camera;
    is_saved_ = changed_keys(here, *saved_).empty() && here.paint == saved_->paint;
}

bool fits_other_heads(const Scene& scene) {
    const auto is_skin = [](const Collider& collider) {
        return collider.shape == ColliderShape::mesh && collider.mesh.file.empty();
    };
    return scene.actors.empty() && scene.groom.strands > 0 &&
           std::ranges::all_of(scene.world.colliders, [&](const Collider& collider) {
               return !collider.attached || is_skin(collider);
           });
}

Result<std::vector<std::string>> assignments_for(const std::string& file, const Scene& scene) {
    const std::string path = fs::absolute(file).string();
    const bool may_be_mesh = is_mesh_file(file);
    if (!may_be_mesh && is_groom_file(file)) return std::vector<std::string>{"groom.file=" + path};
    if (!may_be_mesh)
        return Error{"open a scene (.toml), a mesh (" + mesh_extensions() + ") or a groom (" +
                         groom_extensions() + ")",
                     file};
    const Result<Mesh> mesh = read_mesh(path);
    if (!mesh || mesh->triangle_count() == 0) {
        const Result<StrandSet> strands = read_groom(path, {});
        if (strands && strands->strand_count() > 0)
            return std::vector<std::string>{"groom.file=" + path};
        return mesh ? strands.error() : mesh.error();
    }
    const auto has = [&](const std::string& name) {
        return std::any_of(mesh->materials.begin(), mesh->materials.end(),
                           [&](const Material& m) { return m.name == name; }) ||
               std::find(mesh->groups.begin(), mesh->groups.end(), name) != mesh->groups.end();
    };
    // Painted maps fit only the mesh they were painted for, so they are cleared.
    std::vector<std::string> out{"groom.mesh=" + path,  "groom.density=", "groom.length_image=",
                                 "groom.colour.image=", "groom.file=",    "groom.painted="};
    for (const char* reset :
         {"groom.mesh_scale=0", "groom.mesh_rotate=[0,0,0]", "groom.mesh_offset=[0,0,0]"})
        out.push_back(reset);
    if (!has(scene.groom.scalp)) out.push_back("groom.scalp=auto");
    for (const char* key :
         {"groom.mesh_units", "groom.mesh_up", "groom.mesh_facing", "groom.mesh_part", "camera.eye",
          "camera.target", "render.ground_height", "head.pivot"})
        out.push_back(key + std::string("=auto"));
    return out;
}

}  // namespace ringlet
