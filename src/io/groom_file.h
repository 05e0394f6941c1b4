// Hairstyles in and out, in the format that the file's extension names.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

// How a file's coordinates become metres with +Y up: no format tells.
struct GroomAxes {
    float scale = 1;    // metres per unit of the file, above 0
    bool z_up = false;  // (x, y, z) of the file is (x, z, -y)
};

// Whether the extension, in capitals or not, is .hair, .tfx, .data, .bin, .ply or .obj. An .obj may
// as well be a mesh: only reading it tells.
bool is_groom_file(const std::filesystem::path& path);

// Colour and radius are 0 where the file has none.
Result<StrandSet> read_groom(const std::filesystem::path& path, const GroomAxes& axes = {});

// In metres, +Y up. What the format has no place for (colour, radius, root UVs) is left out;
// `root_uv` has one entry per strand or none, `information` goes where a format keeps a remark.
Result<void> write_groom(const std::filesystem::path& path, const StrandView& strands,
                         std::span<const Vec2f> root_uv = {}, std::string_view information = {});
Result<void> write_groom(const std::filesystem::path& path, const StrandSet& strands,
                         std::string_view information = {});

}  // namespace ringlet
