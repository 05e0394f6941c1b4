// Reads meshes in the formats of other programs with Assimp, in a process of its own with limits on
// time and memory: whatever a malicious file does to Assimp becomes an Error.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "base/child_process.h"
#include "geom/mesh.h"
#include "geom/mesh_sequence.h"
#include "ringlet/result.h"

namespace ringlet {

struct ForeignReader {
    // The program ringlet_read_mesh. Empty: it is searched in the folder of the running program,
    // then in the installation's libexec folder.
    std::filesystem::path program{};
    // Unset: according to the size of the file.
    std::optional<ProcessLimits> limits{};
    std::function<bool()> is_stopped{};  // polled; true: the process is killed
};

// glTF or FBX. All meshes of the file are merged, with their node transforms applied.
Result<Mesh> read_foreign_mesh(const std::filesystem::path& path, const ForeignReader& reader = {});

// Samples an animation of the file. `mesh` is what read_foreign_mesh() returned for it; `animation`
// is an index into its list.
Result<MeshFrames> read_foreign_frames(const std::filesystem::path& path, const Mesh& mesh,
                                       std::size_t animation, const ForeignReader& reader = {});

}  // namespace ringlet
