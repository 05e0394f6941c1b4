// Cem Yuksel's `.hair` format: strands of points with thickness and colour, little endian.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

inline constexpr int kMaxHairSegments = 65535;  // the format stores the count in 16 bits

// The header's defaults of a written file, which apply where the strands have no thickness or
// colour of their own: a human hair of 80 um (m), dark brown (linear RGB).
inline constexpr float kDefaultHairThickness = 80e-6f;
inline constexpr Vec3f kDefaultHairColour{0.15f, 0.07f, 0.03f};

// The format defines neither unit nor axes: positions and radii are returned as stored. A missing
// array is replaced by the header's default. Transparency is ignored.
Result<StrandSet> read_hair(const std::filesystem::path& path);

// Parses the bytes of a file; error messages use `name` as the file.
Result<StrandSet> parse_hair(std::string_view bytes, const std::string& name);

// Writes segments, points, thickness (the diameter) and colour; thickness or colour that is 0
// everywhere is left to the header's defaults. `information` is truncated to the 87 bytes that fit.
// Fails, and writes nothing, if a strand has more than kMaxHairSegments segments.
Result<void> write_hair(const std::filesystem::path& path, const StrandView& strands,
                        std::string_view information);

// The bytes of the file. Precondition: no strand has more than kMaxHairSegments segments.
std::string format_hair(const StrandView& strands, std::string_view information);

}  // namespace ringlet
