// Cem Yuksel's `.hair` format: strands as points with thickness and colour, little endian.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

inline constexpr int kMaxHairSegments = 65535;  // the format counts them in 16 bits

// The file states neither unit nor axis: positions and radii come as written, for the caller to
// scale and turn. Where an array is missing, the header's default stands for every strand.
// Transparency is read past: a StrandSet has none.
Result<StrandSet> read_hair(const std::filesystem::path& path);

// The same from memory; `name` stands for the file in error messages.
Result<StrandSet> parse_hair(std::string_view bytes, const std::string& name);

// Segments, points, thickness (the diameter) and colour of every strand. `information` is kept to
// the 87 bytes that fit. A strand of more than kMaxHairSegments segments is an error, and nothing
// is written.
Result<void> write_hair(const std::filesystem::path& path, const StrandView& strands,
                        std::string_view information);

// The bytes of such a file. Precondition: no strand has more than kMaxHairSegments segments.
std::string format_hair(const StrandView& strands, std::string_view information);

}  // namespace ringlet
