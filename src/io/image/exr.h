// Writes and reads OpenEXR files: one part of scan lines, 16-bit and 32-bit floats. Written files
// are compressed by zlib (ZIP).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "geom/linear_image.h"
#include "ringlet/result.h"

namespace ringlet {

inline constexpr std::string_view kExrExtension = ".exr";

// Whether the extension, in any case, is that of OpenEXR.
bool is_exr_file(const std::filesystem::path& path);

// The bits of the nearest 16-bit float; ties to even. Larger numbers become infinite.
std::uint16_t half_bits(float value);
// The value of a 16-bit float.
float half_value(std::uint16_t bits);

// The bytes of a file. Precondition: every channel has width * height values.
std::string encode_exr(const LinearImage& image);

// The bytes of a file that starts as every OpenEXR file does.
bool is_exr(std::string_view bytes);

// The channels R, G and B of a file, in this order; other channels are ignored. Reads scan lines
// without compression or with ZIP or ZIPS. Error messages use `name` as the file.
Result<LinearImage> parse_exr(std::string_view bytes, const std::string& name);

Result<void> write_exr(const std::filesystem::path& path, const LinearImage& image);

}  // namespace ringlet
