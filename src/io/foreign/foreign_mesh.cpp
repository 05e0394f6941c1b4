#include "io/foreign/foreign_mesh.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/files.h"
#include "io/foreign/decode_mesh.h"
#include "io/mesh_format.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

constexpr const char* kProgram = "ringlet_read_mesh";
constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint64_t kMostFileBytes = 2048 * kMiB;
// Limit on the positions of all frames together (12 bytes each).
constexpr std::uint64_t kMostFramePositions = 60'000'000;

// Assimp needs up to twenty times the size of a file; the rest is room for compressed files.
ProcessLimits limits_for(std::uint64_t file_bytes) {
    return {.seconds = 10 + 2 * static_cast<double>(file_bytes) / static_cast<double>(kMiB),
            .memory_bytes = std::min(1024 * kMiB + 48 * file_bytes, 16384 * kMiB),
            .output_bytes = std::min(256 * kMiB + 48 * file_bytes, 4096 * kMiB)};
}

Result<fs::path> find_program() {
    std::error_code ignored;
    const fs::path own = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    const std::array<fs::path, 2> folders{own, RINGLET_LIBEXEC_DIR};
    for (const fs::path& folder : folders)
        if (fs::is_regular_file(folder / kProgram, ignored)) return folder / kProgram;
    return Error{std::string("cannot be read without the program ") + kProgram +
                 ", which is neither in " + own.string() + " nor in " + folders[1].string() +
                 "; build or install it"};
}

// Runs the program on a file and returns its message.
Result<std::string> run_reader(const fs::path& path, std::vector<std::string> arguments,
                               std::uint64_t more_output, const ForeignReader& reader) {
    const Result<std::uint64_t> size = regular_file_size(path);
    if (!size) return size.error();
    if (*size > kMostFileBytes) return Error{"is larger than 2048 MiB", path.string()};
    const Result<fs::path> program =
        reader.program.empty() ? find_program() : Result<fs::path>(reader.program);
    if (!program) return Error{program.error().message, path.string()};
    ProcessLimits limits = reader.limits.value_or(limits_for(*size));
    limits.output_bytes += more_output;
    arguments.insert(arguments.begin(), fs::absolute(path).string());
    Result<std::string> message = run_program(*program, arguments, limits, reader.is_stopped);
    if (!message && reader.is_stopped && reader.is_stopped())
        return Error{"stopped", path.string()};
    if (!message)
        return Error{"the mesh reader " + message.error().message +
                         "; the file may be damaged: export it again, or as OBJ",
                     path.string()};
    return message;
}

Error located(const Error& error, const fs::path& path) {
    return Error{"cannot be read: " + error.message +
                     "; the file may be damaged or cut short: export it again, or as OBJ",
                 path.string()};
}

Result<Mesh> read_stoppable(const fs::path& path, const StopCheck& is_stopped) {
    return read_foreign_mesh(path, {.is_stopped = is_stopped});
}

Result<MeshFrames> read_frames_stoppable(const fs::path& path, const Mesh& mesh,
                                         std::size_t animation, const StopCheck& is_stopped) {
    return read_foreign_frames(path, mesh, animation, {.is_stopped = is_stopped});
}

}  // namespace

Result<Mesh> read_foreign_mesh(const fs::path& path, const ForeignReader& reader) {
    const Result<std::string> message = run_reader(path, {}, 0, reader);
    if (!message) return message.error();
    Result<Mesh> mesh = decode_mesh(*message, path.parent_path());
    if (!mesh) return located(mesh.error(), path);
    return mesh;
}

Result<MeshFrames> read_foreign_frames(const fs::path& path, const Mesh& mesh,
                                       std::size_t animation, const ForeignReader& reader) {
    const Result<std::string> message =
        run_reader(path, {std::to_string(animation), std::to_string(kMostFramePositions)},
                   kMostFramePositions * sizeof(Vec3f), reader);
    if (!message) return message.error();
    Result<MeshFrames> frames = decode_frames(*message, mesh.positions.size());
    if (!frames) return located(frames.error(), path);
    return frames;
}

extern const MeshFormat kMeshFormatGltf, kMeshFormatGlb, kMeshFormatFbx;
constinit const MeshFormat kMeshFormatGltf{
    .name = "glTF 2",
    .extension = ".gltf",
    .description = "meshes with materials, textures and animation; needs the files it names",
    .read = read_stoppable,
    .read_frames = read_frames_stoppable,
};
constinit const MeshFormat kMeshFormatGlb{
    .name = "glTF 2, binary",
    .extension = ".glb",
    .description = "the same in one file",
    .read = read_stoppable,
    .read_frames = read_frames_stoppable,
};
constinit const MeshFormat kMeshFormatFbx{
    .name = "FBX",
    .extension = ".fbx",
    .description = "meshes with materials, textures and animation",
    .read = read_stoppable,
    .read_frames = read_frames_stoppable,
};

}  // namespace ringlet
