// A mesh file format. Each format defines one MeshFormat in its own .cpp; mesh_formats.def lists
// them.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "geom/mesh.h"
#include "geom/mesh_sequence.h"
#include "ringlet/result.h"

namespace ringlet {

// Polled by readers that may take long; true: the reader gives up with an Error. May be empty.
using StopCheck = std::function<bool()>;

struct MeshFormat {
    std::string_view name;         // of the format, for lists: "Wavefront OBJ"
    std::string_view extension;    // in lower case: ".obj"
    std::string_view description;  // one line about the content
    Result<Mesh> (*read)(const std::filesystem::path& path, const StopCheck& is_stopped);
    // Samples an animation of the file. `mesh` is what read() returned; `animation` is an index
    // into its list. Null if the format has no animations.
    Result<MeshFrames> (*read_frames)(const std::filesystem::path& path, const Mesh& mesh,
                                      std::size_t animation, const StopCheck& is_stopped) = nullptr;
};

// All formats, in the order of mesh_formats.def.
std::span<const MeshFormat* const> all_mesh_formats();

// Whether the extension, in any case, is that of a mesh format.
bool is_mesh_file(const std::filesystem::path& path);

// Reads a mesh in the format of the file's extension. Units and axes are those of the file.
Result<Mesh> read_mesh(const std::filesystem::path& path, const StopCheck& is_stopped = {});

// The positions of the mesh of a file over time, in units and axes of the file. `mesh` is what
// read_mesh() returned, or has its vertices in the same order. `animation` is an index into its
// list. The last frame is at the end of the animation. No frames: it does not move the mesh.
Result<MeshFrames> read_animation(const std::filesystem::path& path, const Mesh& mesh,
                                  std::size_t animation, const StopCheck& is_stopped = {});

// ".obj", or ".a, .b or .c" if there are several.
std::string mesh_extensions();

}  // namespace ringlet
