// JPEG, through libjpeg-turbo.
#pragma once

#include <string>
#include <string_view>

#include "ringlet/image.h"
#include "ringlet/result.h"

namespace ringlet {

inline bool is_jpeg(std::string_view bytes) { return bytes.starts_with("\xff\xd8\xff"); }

// Grey, RGB, YCbCr, CMYK or YCCK of 8 bits; baseline, progressive or arithmetic. Truncated or
// corrupt data is an error.
Result<Image> parse_jpeg(std::string_view bytes, const std::string& name);

}  // namespace ringlet
