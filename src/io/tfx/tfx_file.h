// AMD TressFX `.tfx`, version 4: strands of one common vertex count, little endian.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

// The file states neither unit nor axis: positions and radii come as written. Thickness is per
// strand and taken for the diameter; alpha and inverse masses are read past. Radius and colour are
// 0 where the file has none. Root UVs are those of the strands or, where only vertices have some,
// of the roots; some exporters write 1 - v, which the file does not tell.
Result<StrandSet> read_tfx(const std::filesystem::path& path);

// The same from memory; `name` stands for the file in error messages.
Result<StrandSet> parse_tfx(std::string_view bytes, const std::string& name);

// Positions, with inverse mass 0 at the first two vertices and 1 at the others; UVs of the strands
// (one each, or none); colour of the vertices and thickness of the strands (the widest place of
// each) unless all of them are 0. Strands that differ in vertex count are an error, and nothing is
// written.
Result<void> write_tfx(const std::filesystem::path& path, const StrandView& strands,
                       std::span<const Vec2f> root_uv);

// The bytes of such a file. Precondition: all strands have the same number of vertices, and the
// file stays below 4 GiB.
std::string format_tfx(const StrandView& strands, std::span<const Vec2f> root_uv);

}  // namespace ringlet
