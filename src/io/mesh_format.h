// A mesh file format. Each format defines one MeshFormat in its own .cpp; mesh_formats.def lists
// them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "geom/mesh.h"
#include "ringlet/result.h"

namespace ringlet {

struct MeshFormat {
    std::string_view name;         // of the format, for lists: "Wavefront OBJ"
    std::string_view extension;    // in lower case: ".obj"
    std::string_view description;  // one line about the content
    Result<Mesh> (*read)(const std::filesystem::path& path);
};

// All formats, in the order of mesh_formats.def.
std::span<const MeshFormat* const> all_mesh_formats();

// Whether the extension, in any case, is that of a mesh format.
bool is_mesh_file(const std::filesystem::path& path);

// Reads a mesh in the format of the file's extension. Units and axes are those of the file.
Result<Mesh> read_mesh(const std::filesystem::path& path);

// ".obj", or ".a, .b or .c" if there are several.
std::string mesh_extensions();

}  // namespace ringlet
