#include "session/new_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "io/groom_file.h"
#include "io/image/image_file.h"
#include "io/mesh_format.h"
#include "ringlet/jobs.h"
#include "scene/key_aliases.h"
#include "scene/parameters.h"
#include "scene/read_scene.h"
#include "session/boundary.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "session/renderers.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

// A line of the scene file, with a comment above it: a parameter, or a list without entries.
struct Entry {
    std::string key, comment;
};

std::string quoted(std::string text) {
    const Parameter parameter{.key = "", .target = &text};
    return format_value(parameter);
}

std::string table_of(const std::string& key) { return key.substr(0, key.rfind('.')); }

// Text in comment lines of at most 98 characters.
std::string comment_lines(const std::string& text) {
    constexpr std::size_t kWidth = 96;
    std::string out, line;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (!line.empty() && line.size() + 1 + (end - at) > kWidth) {
            out += "# " + line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + text.substr(at, end - at);
        at = end + 1;
    }
    return line.empty() ? out : out + "# " + line + "\n";
}

// The entries as TOML, one table after the other, in the order of their first entries.
std::string to_toml(const std::vector<Entry>& entries, const ParameterTable& table) {
    std::vector<std::string> tables;
    for (const Entry& entry : entries)
        if (std::ranges::find(tables, table_of(entry.key)) == tables.end())
            tables.push_back(table_of(entry.key));
    std::string out;
    for (const std::string& name : tables) {
        out += "\n[" + name + "]\n";
        for (const Entry& entry : entries) {
            if (table_of(entry.key) != name) continue;
            const auto found = std::ranges::find(table.parameters, entry.key, &Parameter::key);
            const bool is_list = found == table.parameters.end();
            out += comment_lines(entry.comment) + entry.key.substr(name.size() + 1) + " = " +
                   (is_list ? "[]" : format_value(*found)) + "\n";
        }
    }
    return out;
}

// The keys that the style and the user set, which must be single parameters.
Result<std::vector<Entry>> entries_for(const std::vector<std::string>& assignments,
                                       const ParameterTable& table) {
    std::vector<Entry> out;
    for (const std::string& text : assignments) {
        const std::string key = current_key(text.substr(0, text.find('=')));
        if (std::ranges::find(table.parameters, key, &Parameter::key) == table.parameters.end())
            return Error{"--set " + text + ": write this key into the new scene file instead"};
        std::erase_if(out, [&](const Entry& entry) { return entry.key == key; });
        out.push_back({key, ""});
    }
    return out;
}

std::string vector_text(Vec3f a) { return fmt::format("[{:.3f}, {:.3f}, {:.3f}]", a.x, a.y, a.z); }

// Replaces what was left open about the mesh by what the session found.
void state_placement(const HeadMesh& head, GroomSettings& groom) {
    PlacementSettings& stated = groom.placement;
    const Placement& found = head.placement;
    if (stated.up == SignedAxis::automatic) stated.up = axis_near(found.row[1]);
    if (stated.facing == SignedAxis::automatic) stated.facing = axis_near(found.row[2]);
    if (stated.units == LengthUnit::automatic && stated.scale == 0) stated.scale = found.scale;
}

// The values that the session chose by itself.
std::vector<Entry> guessed_entries(const Scene& scene) {
    return {{"groom.mesh", ""},
            {"groom.mesh_scale",
             "Guessed: metres per unit of the mesh. Set 0 and mesh_units (m, cm, mm, in, ft) for a "
             "named unit."},
            {"groom.mesh_up", "Guessed: the axes of the mesh that point up and out of the face."},
            {"groom.mesh_facing", ""},
            {"groom.mesh_part",
             "The part that hair grows on, where the mesh has several; auto finds it by name and "
             "shape."},
            {"groom.scalp",
             "Guessed: hair grows on the cap of the head. Give a material or group of the mesh, or "
             "paint it: `ringlet view`, then P."},
            {"groom.grow_patches",
             "The eyebrows and lashes of the built-in scenes belong to the built-in bust."},
            {"groom.strands", "Strands that are drawn, and how many of them are simulated."},
            {"groom.guides", ""},
            {"camera.eye", "Guessed: head and hair are in view. The eye is now at " +
                               vector_text(scene.camera.eye) +
                               ". Give [x, y, z] in metres to move it."},
            {"camera.target",
             "The middle of head and hair, now " + vector_text(scene.camera.target) + "."},
            {"render.ground_height",
             fmt::format("Guessed: the ground is below the head and its hair, now at {:.3f} m.",
                         scene.render.ground_height)},
            {"head.pivot", "Guessed: the head turns about its neck, now " +
                               vector_text(scene.world.head.pivot) + "."}};
}

// The head's path as the scene file names it.
std::string path_from(const fs::path& scene, const std::string& head) {
    const fs::path folder = fs::absolute(scene).lexically_normal().parent_path();
    return fs::absolute(head).lexically_normal().lexically_relative(folder).string();
}

// The text of the file `path`, whose folder may not exist yet.
Result<std::string> scene_text(const Session::Impl& impl, const std::string& path,
                               const Style& style, const std::vector<std::string>& assignments) {
    Scene scene = impl.scene;
    const std::string command = "ringlet new " + fs::path(scene.groom.mesh).filename().string();
    scene.groom.mesh = path_from(path, scene.groom.mesh);
    state_placement(*impl.actors.front().head_mesh, scene.groom);
    const bool sets_motion = std::ranges::any_of(assignments, [](const std::string& assignment) {
        return assignment.starts_with("head.motion=");
    });
    const bool is_moved_by_file =
        !sets_motion && !impl.actors.front().head_mesh->mesh.animations.empty();
    if (is_moved_by_file) scene.world.head.motion = MotionKind::none;
    const ParameterTable table = parameters_of(scene);
    std::vector<Entry> entries = guessed_entries(scene);
    if (is_moved_by_file)
        entries.push_back({"head.motion", "Guessed: the animation of the file moves the head."});
    if ((sets_motion || is_moved_by_file) && !scene.world.head.keys.empty())
        entries.push_back({"head.key", "The keys of the base scene would move the head as well."});
    const Result<std::vector<Entry>> given = entries_for(assignments, table);
    if (!given) return given.error();
    for (const Entry& entry : *given) {
        std::erase_if(entries, [&](const Entry& other) { return other.key == entry.key; });
        entries.push_back(entry);
    }
    std::string out = comment_lines(
        "Written by `" + command +
        "`. Every value may be changed; a deleted one takes the value of the base scene. `ringlet "
        "scenes --keys` describes all keys.");
    for (const std::string& assumption : impl.messages.assumptions)
        out += comment_lines(assumption);
    out += "title = " + quoted(scene.title) + "\n\n";
    out += comment_lines("The hairstyle with its simulation and motion: a built-in scene.");
    return out + "base = " + quoted(style.base) + "\n" + to_toml(entries, table);
}

Result<void> check_new_file(const std::string& path, bool overwrite) {
    std::error_code ignored;
    if (!overwrite && fs::exists(path, ignored))
        return Error{"exists; name another file with -o, or replace it with --force", path};
    return check_writable(path);
}

Result<NewScene> file_names(const NewSceneOptions& options) {
    if (!is_mesh_file(options.head))
        return Error{"is not a mesh; give " + mesh_extensions(), options.head};
    NewScene out{options.output, ""};
    if (out.scene.empty()) out.scene = fs::path(options.head).stem().string() + ".toml";
    if (!out.scene.ends_with(".toml")) return Error{"a scene file must end in .toml", out.scene};
    out.picture = fs::path(out.scene).replace_extension(".png").string();
    for (const std::string& path : {out.scene, out.picture})
        if (const Result<void> free = check_new_file(path, options.overwrite); !free)
            return free.error();
    return out;
}

Result<void> draw_preview(Session& session, const std::string& renderer, const std::string& path) {
    const Result<std::unique_ptr<ImageRenderer>> created = create_renderer(renderer);
    if (!created) return created.error();
    session.impl().advance_to(0);
    const Record& record = session.impl().scene.record;
    const Result<Image> image =
        (*created)->render(picture_of(session), record.width, record.height, {});
    return image ? write_image(path, *image) : image.error();
}

}  // namespace

bool is_mesh_or_groom(const std::string& file) { return is_mesh_file(file) || is_groom_file(file); }

std::string scene_for(const std::string& file, const std::string& base) {
    const std::string name = fs::path(file).filename().string();
    if (!is_mesh_file(file))
        return "title = " + quoted(name) + "\nbase = \"bust\"\n[groom]\nfile = " + quoted(file) +
               "\n";
    return "title = " + quoted(base + " on " + name) + "\nbase = " + quoted(base) +
           "\n[groom]\nscalp = \"auto\"\ngrow_patches = false\nmesh = " + quoted(file) + "\n";
}

Result<NewScene> new_scene(const NewSceneOptions& options, const SessionOptions& session_options,
                           const Listener& listener) try {
    const Result<Style> style = parse_style(options.style);
    if (!style) return style.error();
    Result<NewScene> files = file_names(options);
    if (!files) return files;
    if (const Result<void> usable = check_renderer(options.renderer); !usable)
        return usable.error();
    SessionOptions with_style = session_options;
    with_style.overrides = style->assignments;
    with_style.overrides.insert(with_style.overrides.end(), session_options.overrides.begin(),
                                session_options.overrides.end());
    Result<Scene> scene = read_scene(scene_for(options.head, style->base), files->scene, ".",
                                     with_style.overrides, builtin_scene_text);
    if (!scene) return scene.error();
    Result<std::unique_ptr<Session::Impl>> impl =
        Session::Impl::make(std::move(*scene), with_style, listener);
    if (!impl) return impl.error();
    Session session = Session::Impl::to_session(std::move(*impl));
    const Result<std::string> text =
        scene_text(session.impl(), files->scene, *style, with_style.overrides);
    if (!text) return text.error();
    Result<void> done = draw_preview(session, options.renderer, files->picture);
    if (done) done = write_file(files->scene, *text);
    if (!done) return done.error();
    return files;
} catch (...) {
    return error_from_exception();
}

std::string style_words() { return describe_styles(); }

}  // namespace ringlet
