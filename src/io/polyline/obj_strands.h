// Strands as polylines of a Wavefront OBJ file: positions only, without thickness and colour.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

// An `l` line of more than two vertices is a strand. Consecutive `l` lines of two vertices that
// share an end form one strand, until an `o` or `g` line; two segments that start at the same
// vertex are two strands. A point (`p`) is a strand of one vertex, a root without hair. Faces and
// all other statements are ignored. Radius and colour are 0.
Result<StrandSet> read_obj_strands(const std::filesystem::path& path);

// Parses the text of a file; error messages use `name` as the file.
Result<StrandSet> parse_obj_strands(std::string_view text, const std::string& name);

// Writes one `l` or `p` line per strand. Numbers have as many digits (at most nine) as are needed
// to read back the same float.
Result<void> write_obj_strands(const std::filesystem::path& path, const StrandView& strands);

std::string format_obj_strands(const StrandView& strands);

}  // namespace ringlet
