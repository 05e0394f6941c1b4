#include "session/assets/shape_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "io/mesh_format.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

// Limit on the positions of all frames together (12 bytes each).
constexpr std::size_t kMostPositions = 200'000'000;

// The files that match a pattern like walk/frame####.obj, by their number.
std::map<long long, fs::path> files_of(const fs::path& pattern, std::error_code& failed) {
    const std::string name = pattern.filename().string();
    const std::size_t first = name.find('#'), last = name.rfind('#');
    const std::string head = name.substr(0, first), tail = name.substr(last + 1);
    std::map<long long, fs::path> out;
    for (const fs::directory_entry& entry : fs::directory_iterator(pattern.parent_path(), failed)) {
        const std::string file = entry.path().filename().string();
        if (!file.starts_with(head) || !file.ends_with(tail)) continue;
        if (file.size() < head.size() + tail.size() + (last + 1 - first)) continue;
        const std::string digits =
            file.substr(head.size(), file.size() - head.size() - tail.size());
        const bool is_number =
            digits.size() <= 18 &&
            std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (is_number) out.emplace(std::stoll(digits), entry.path());
    }
    return out;
}

using Shapes = std::shared_ptr<const MeshSequence>;

Result<Shapes> load_files(const ShapeSource& source, const Mesh& body) {
    const SequenceFiles& sequence = source.sequence;
    if (sequence.files.find('#') == std::string::npos)
        return Error{"the pattern needs a # per digit of the frame number: walk/frame####.obj"};
    if (body.triangle_count() == 0)
        return Error{"there is no " + source.name + " to animate; set it first"};
    std::error_code failed;
    const auto files = files_of(fs::path(source.folder) / sequence.files, failed);
    if (files.empty())
        return Error{"no file matches \"" + sequence.files + "\"; looked in " + source.folder};
    auto out = std::make_shared<MeshSequence>();
    out->indices = body.indices;
    out->rest = body.positions;
    out->fps = sequence.fps;
    out->loops = sequence.loops;
    if (files.size() * body.positions.size() > kMostPositions)
        return Error{"too many frames for memory; use fewer frames and a lower sequence_fps"};
    for (const auto& [number, path] : files) {
        Result<Mesh> mesh = read_mesh(path, source.is_stopped);
        if (!mesh) return mesh.error();
        const auto same_uv = [](Vec2f a, Vec2f b) { return a.x == b.x && a.y == b.y; };
        if (mesh->indices.size() != body.indices.size() ||
            !std::equal(mesh->uvs.begin(), mesh->uvs.end(), body.uvs.begin(), body.uvs.end(),
                        same_uv))
            return Error{"is not a shape of " + source.name + ": vertices or faces differ",
                         path.string()};
        out->frames.push_back(std::move(mesh->positions));
    }
    return Shapes(std::move(out));
}

// The largest distance between equal vertices of two shapes, relative to the size of the first.
float difference(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
    Mesh shape;
    shape.positions = a;
    const Bounds bounds = bounds_of(shape);
    float most = 0;
    for (std::size_t k = 0; k < a.size(); ++k) most = max(most, norm(a[k] - b[k]));
    const float size = norm(bounds.high - bounds.low);
    return size > 0 ? most / size : 0;
}

// The index of the animation that the scene names; nothing for none.
Result<std::optional<std::size_t>> chosen_animation(const ShapeSource& source, const Mesh& body) {
    const std::string& name = source.animation.name;
    if (name == "none" || (name == "auto" && body.animations.empty()))
        return std::optional<std::size_t>();
    if (name == "auto") return std::optional<std::size_t>(0);
    std::string known;
    for (std::size_t k = 0; k < body.animations.size(); ++k) {
        if (body.animations[k].name == name) return std::optional<std::size_t>(k);
        known += (k == 0 ? "\"" : ", \"") + body.animations[k].name + "\"";
    }
    if (!source.is_head) return std::optional<std::size_t>();
    return Error{"no animation \"" + name + "\" in " + source.file + "; " +
                 (known.empty() ? "it has none" : "it has " + known)};
}

void describe(const ShapeSource& source, const MeshAnimation& animation, const MeshSequence& shapes,
              Messages& messages) {
    const bool loops = shapes.loops;
    messages.assumptions.push_back(fmt::format(
        "{}: plays its animation \"{}\" of {:.3g} s {} (set head.animation, head.animation_loops)",
        source.file, animation.name, animation.seconds, loops ? "repeatedly" : "once"));
    // Hair would be thrown about by the jump at each repetition.
    constexpr float kJump = 0.02f;
    if (loops && difference(shapes.frames.front(), shapes.frames.back()) > kJump)
        messages.warnings.push_back({"the animation \"" + animation.name +
                                         "\" does not end as it begins, so the mesh jumps",
                                     source.file, "set head.animation_loops = false"});
}

Result<Shapes> load_animation(const ShapeSource& source, const Mesh& body, Messages& messages) {
    const Result<std::optional<std::size_t>> chosen = chosen_animation(source, body);
    if (!chosen) return chosen.error();
    if (!*chosen) return Shapes();
    const MeshAnimation& animation = body.animations[**chosen];
    Result<MeshFrames> read =
        read_animation(fs::path(source.folder) / source.file, body, **chosen, source.is_stopped);
    if (!read) return Error{read.error().text() + "; or set head.animation = \"none\""};
    if (read->frames.empty()) return Shapes();
    auto out = std::make_shared<MeshSequence>();
    out->indices = body.indices;
    out->rest = body.positions;
    out->fps = read->fps;
    out->loops = source.animation.loops && read->frames.size() > 1;
    out->frames = std::move(read->frames);
    describe(source, animation, *out, messages);
    // The first frame follows the last, which shows the same moment.
    if (out->loops) out->frames.pop_back();
    return Shapes(std::move(out));
}

}  // namespace

Result<std::shared_ptr<const MeshSequence>> load_shapes(const ShapeSource& source, const Mesh& body,
                                                        Messages& messages) {
    return source.sequence.files.empty() ? load_animation(source, body, messages)
                                         : load_files(source, body);
}

}  // namespace ringlet
