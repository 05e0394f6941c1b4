// Reads and writes groom files, in the format of the file's extension.
#pragma once

#include <optional>

#include "io/groom_format.h"

namespace ringlet {

// How a file's coordinates become metres with +Y up, which the formats do not store, and which
// frame is read.
struct GroomAxes {
    float scale = 1;    // metres per unit of the file, above 0
    bool z_up = false;  // (x, y, z) of the file becomes (x, z, -y)
    // Seconds; which frame of an animated file is read. Unset: the first.
    std::optional<double> time{};
};

// The format of the extension, in any case; null if there is none.
const GroomFormat* groom_format_of(const std::filesystem::path& path);

// Whether the extension is that of a groom format. An .obj file may also be a mesh.
bool is_groom_file(const std::filesystem::path& path);

// ".a, .b or .c", for messages and help texts.
std::string groom_extensions();

// Missing colours and radii are 0.
Result<StrandSet> read_groom(const std::filesystem::path& path, const GroomAxes& axes = {});

// Writes metres, +Y up. Data that the format does not store is left out.
Result<void> write_groom(const std::filesystem::path& path, const StrandView& strands,
                         const GroomExtras& extras = {});
Result<void> write_groom(const std::filesystem::path& path, const StrandSet& strands,
                         std::string_view information = {});

}  // namespace ringlet
