// Strands as polylines of a Wavefront OBJ file: positions alone, without thickness and colour.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

// An `l` line of more than two vertices is a strand. Lines of two that follow one another and share
// an end are joined to one strand, until one does not or an object or group begins; two that begin
// at the same vertex are two strands. A point (`p`) is a strand of one vertex, a root without hair.
// Faces and all else are read past. Radius and colour are 0.
Result<StrandSet> read_obj_strands(const std::filesystem::path& path);

// The same from memory; `name` stands for the file in error messages.
Result<StrandSet> parse_obj_strands(std::string_view text, const std::string& name);

// One `l` (or `p`) line a strand. Numbers have as many digits as it takes to get the same float
// back, nine at most.
Result<void> write_obj_strands(const std::filesystem::path& path, const StrandView& strands);

std::string format_obj_strands(const StrandView& strands);

}  // namespace ringlet
