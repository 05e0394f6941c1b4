// USC-HairSalon `.data` and CT2Hair `.bin`: strands of any vertex count, little endian. They differ
// in the numbers of a vertex alone.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

enum class DataKind {
    kHairSalon,  // .data: x, y, z
    kCt2Hair,    // .bin: x, y, z, a direction and a label, which are read past and written as 0
};

// Positions come as written (the files state no unit), radius and colour are 0. A strand of one
// vertex is a root where no hair grows. Left out are strands of no vertex and those that are not
// all finite numbers, as the makers' own readers leave them out: the published files have some.
Result<StrandSet> read_data(const std::filesystem::path& path, DataKind kind);

// The same from memory; `name` stands for the file in error messages.
Result<StrandSet> parse_data(std::string_view bytes, DataKind kind, const std::string& name);

Result<void> write_data(const std::filesystem::path& path, const StrandView& strands,
                        DataKind kind);

std::string format_data(const StrandView& strands, DataKind kind);

}  // namespace ringlet
