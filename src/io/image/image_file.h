// Reads and writes image files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ringlet/image.h"
#include "ringlet/result.h"

namespace ringlet {

// Writes .png or .bmp (24 bits, without alpha), chosen by the extension. At most 2^28 pixels.
Result<void> write_image(const std::filesystem::path& path, const Image& image);

// Reads PNG, JPEG, BMP, TGA or PNM (P2, P3, P5, P6), recognized by content. Images without alpha
// are opaque; 16 bits are reduced to 8. At most 16384 pixels per side and 2^26 in total. Other
// formats are not supported, because the available decoders are not safe against malicious files.
Result<Image> read_image(const std::filesystem::path& path);

// Decodes the bytes of a file; error messages use `name` as the file.
Result<Image> parse_image(std::string_view bytes, const std::string& name);

}  // namespace ringlet
