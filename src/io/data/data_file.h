// USC-HairSalon `.data` and CT2Hair `.bin`: strands of any vertex count, little endian. They differ
// only in the numbers stored per vertex.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

enum class DataKind {
    kHairSalon,  // .data: x, y, z
    kCt2Hair,    // .bin: x, y, z, a direction and a label (ignored, written as 0)
};

// Positions are returned as stored (the formats define no unit); radius and colour are 0. A strand
// of one vertex is a root without hair. Skips strands without vertices and strands with non-finite
// positions, like the authors' own readers: the published files contain some.
Result<StrandSet> read_data(const std::filesystem::path& path, DataKind kind);

// Parses the bytes of a file; error messages use `name` as the file.
Result<StrandSet> parse_data(std::string_view bytes, DataKind kind, const std::string& name);

Result<void> write_data(const std::filesystem::path& path, const StrandView& strands,
                        DataKind kind);

std::string format_data(const StrandView& strands, DataKind kind);

}  // namespace ringlet
