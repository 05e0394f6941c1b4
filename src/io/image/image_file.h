// Pictures on disk.
#pragma once

#include <filesystem>

#include "ringlet/image.h"
#include "ringlet/result.h"

namespace ringlet {

// The extension decides: .png, or .bmp (24 bits: alpha is dropped). At most 2^28 pixels.
Result<void> write_image(const std::filesystem::path& path, const Image& image);

// PNG or BMP, told apart by content; what has no alpha is opaque. At most 16384 pixels a side and
// 2^26 in all. Other formats are left out, since their decoders do not survive hostile files.
Result<Image> read_image(const std::filesystem::path& path);

}  // namespace ringlet
