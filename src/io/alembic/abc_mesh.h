// Meshes of Alembic files, at rest and over time.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/mesh_format.h"

namespace ringlet {

// All polygon meshes of the file at its first frame, with the transforms above them. Each is a part
// of the mesh. Hidden ones are left out unless all are hidden. Subdivision surfaces are read as
// their control meshes.
Result<Mesh> read_abc_mesh(const std::filesystem::path& path, const StopCheck& is_stopped = {});

// The positions of what read_abc_mesh() returned, from the first sample to the last, at the rate of
// the most frequent samples.
Result<MeshFrames> read_abc_frames(const std::filesystem::path& path, const Mesh& mesh,
                                   std::size_t animation, const StopCheck& is_stopped = {});

// Parses the bytes of a file; error messages use `name` as the file.
Result<Mesh> parse_abc_mesh(std::string_view bytes, const std::string& name);

}  // namespace ringlet
