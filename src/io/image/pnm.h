// Netpbm's grey and colour images (PGM, PPM), in ASCII and binary.
#pragma once

#include <string>
#include <string_view>

#include "ringlet/image.h"
#include "ringlet/result.h"

namespace ringlet {

inline bool is_pnm(std::string_view bytes) {
    return bytes.size() > 2 && bytes[0] == 'P' &&
           (bytes[1] == '2' || bytes[1] == '3' || bytes[1] == '5' || bytes[1] == '6');
}

// Precondition: is_pnm(bytes).
Result<Image> parse_pnm(std::string_view bytes, const std::string& name);

}  // namespace ringlet
