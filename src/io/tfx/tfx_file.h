// AMD TressFX `.tfx`, version 4: strands with the same number of vertices, little endian.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

// The format defines neither unit nor axes: positions and radii are returned as stored. Thickness
// is read as the diameter of a strand; alpha and inverse masses are ignored. Missing radii and
// colours are 0. Root UVs are the strands' UVs or, if the file has only vertex UVs, those of the
// root vertices. Some exporters store 1 - v; the file does not say which.
Result<StrandSet> read_tfx(const std::filesystem::path& path);

// Parses the bytes of a file; error messages use `name` as the file.
Result<StrandSet> parse_tfx(std::string_view bytes, const std::string& name);

// Writes positions (with inverse mass 0 for the first two vertices, otherwise 1), strand UVs
// (`root_uv` has one entry per strand or none), and vertex colours and strand thicknesses (the
// largest diameter) unless all are 0. Fails, and writes nothing, if vertex counts differ.
Result<void> write_tfx(const std::filesystem::path& path, const StrandView& strands,
                       std::span<const Vec2f> root_uv);

// The bytes of the file. Preconditions: all strands have the same number of vertices; the file is
// smaller than 4 GiB.
std::string format_tfx(const StrandView& strands, std::span<const Vec2f> root_uv);

}  // namespace ringlet
