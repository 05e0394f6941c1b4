// Reads Radiance pictures (.hdr): three bytes and a common exponent per pixel.
#pragma once

#include <string>
#include <string_view>

#include "geom/linear_image.h"
#include "ringlet/result.h"

namespace ringlet {

// The bytes of a file that starts as a Radiance picture does.
bool is_radiance(std::string_view bytes);

// The channels R, G and B. Reads pictures of RGB with rows from the top, plain or with the run
// lengths that Radiance writes since 1991. Error messages use `name` as the file.
Result<LinearImage> parse_radiance(std::string_view bytes, const std::string& name);

}  // namespace ringlet
