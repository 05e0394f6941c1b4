// Pictures on disk.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ringlet/image.h"
#include "ringlet/result.h"

namespace ringlet {

// The extension decides: .png, or .bmp (24 bits: alpha is dropped). At most 2^28 pixels.
Result<void> write_image(const std::filesystem::path& path, const Image& image);

// PNG, JPEG, BMP, TGA or PNM (P2, P3, P5, P6), told apart by content, not by name; what has no
// alpha is opaque, 16 bits become 8. At most 16384 pixels a side and 2^26 in all. Other formats are
// left out, since the decoders at hand do not survive hostile files.
Result<Image> read_image(const std::filesystem::path& path);

// The same from memory; `name` stands for the file in error messages.
Result<Image> parse_image(std::string_view bytes, const std::string& name);

}  // namespace ringlet
