// Strands from the curves of Alembic files, and grooms written as such.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

// All curves of the file, in its order, with the transforms above them. Control points become
// vertices. Positions and widths are those of the file, which states no unit and no axes. `time` is
// in seconds; without one, the first frame is read.
Result<StrandSet> read_abc_groom(const std::filesystem::path& path,
                                 std::optional<double> time = std::nullopt);

// Parses the bytes of a file; error messages use `name` as the file.
Result<StrandSet> parse_abc_groom(std::string_view bytes, const std::string& name);

}  // namespace ringlet
