#include "session/assets/shape_source.h"

#include <algorithm>
#include <filesystem>
#include <map>

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

}  // namespace

Result<std::shared_ptr<const MeshSequence>> load_shapes(const SequenceFiles& sequence,
                                                        const std::string& folder, const Mesh& body,
                                                        const std::string& name) {
    if (sequence.files.empty()) return std::shared_ptr<const MeshSequence>();
    if (sequence.files.find('#') == std::string::npos)
        return Error{"the pattern needs a # per digit of the frame number: walk/frame####.obj"};
    if (body.triangle_count() == 0)
        return Error{"there is no " + name + " to animate; set it first"};
    std::error_code failed;
    const auto files = files_of(fs::path(folder) / sequence.files, failed);
    if (files.empty())
        return Error{"no file matches \"" + sequence.files + "\"; looked in " + folder};
    auto out = std::make_shared<MeshSequence>();
    out->indices = body.indices;
    out->rest = body.positions;
    out->fps = sequence.fps;
    out->loops = sequence.loops;
    if (files.size() * body.positions.size() > kMostPositions)
        return Error{"too many frames for memory; use fewer frames and a lower sequence_fps"};
    for (const auto& [number, path] : files) {
        Result<Mesh> mesh = read_mesh(path);
        if (!mesh) return mesh.error();
        const auto same_uv = [](Vec2f a, Vec2f b) { return a.x == b.x && a.y == b.y; };
        if (mesh->indices.size() != body.indices.size() ||
            !std::equal(mesh->uvs.begin(), mesh->uvs.end(), body.uvs.begin(), body.uvs.end(),
                        same_uv))
            return Error{"is not a shape of " + name + ": vertices or faces differ", path.string()};
        out->frames.push_back(std::move(mesh->positions));
    }
    return std::shared_ptr<const MeshSequence>(std::move(out));
}

}  // namespace ringlet
