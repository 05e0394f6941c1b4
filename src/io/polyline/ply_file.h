// Strands in a PLY file: vertices connected by edges, with colour and radius.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

// ASCII or binary little endian. Vertices have x, y, z and optionally red, green, blue (8-bit
// values are sRGB, all others linear) and radius, which are 0 if missing. Strands are the chains of
// edges (element `edge` with vertex1, vertex2, in any order; a vertex without an edge is a root
// without hair) or, in files without edges, the lists `vertex_indices` of an element `strand` or
// `curve`.
Result<StrandSet> read_ply(const std::filesystem::path& path);

// Parses the bytes of a file; error messages use `name` as the file.
Result<StrandSet> parse_ply(std::string_view bytes, const std::string& name);

// Writes binary little endian with edges. Omits colour or radius if all values are 0.
Result<void> write_ply(const std::filesystem::path& path, const StrandView& strands);

std::string format_ply(const StrandView& strands);

}  // namespace ringlet
