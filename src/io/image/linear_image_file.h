// Reads images of linear light.
#pragma once

#include <filesystem>

#include "geom/linear_image.h"
#include "ringlet/result.h"

namespace ringlet {

// Reads the channels R, G and B of an OpenEXR file or a Radiance picture, recognized by content.
// At most 16384 pixels per side and 2^26 in total.
Result<LinearImage> read_linear_image(const std::filesystem::path& path);

}  // namespace ringlet
