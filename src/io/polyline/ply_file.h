// Strands in a PLY file: vertices joined by edges, with colour and radius.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

// Ascii or binary little endian. Vertices have x, y, z and may have red, green, blue (8-bit values
// are sRGB, all others are taken for linear) and radius, which else are 0. Strands are the chains
// of the element `edge` (vertex1, vertex2), in any order, a vertex without edge being a root
// without hair; or, where there is none, the lists `vertex_indices` of an element `strand` or
// `curve`.
Result<StrandSet> read_ply(const std::filesystem::path& path);

// The same from memory; `name` stands for the file in error messages.
Result<StrandSet> parse_ply(std::string_view bytes, const std::string& name);

// Binary little endian with edges; colour and radius unless all of them are 0.
Result<void> write_ply(const std::filesystem::path& path, const StrandView& strands);

std::string format_ply(const StrandView& strands);

}  // namespace ringlet
