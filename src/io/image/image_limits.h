// How large a picture may be that is read, whatever its format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ringlet/result.h"

namespace ringlet {

inline constexpr std::int64_t kMaxReadSide = 16384;
inline constexpr std::int64_t kMaxReadPixels = 1 << 26;
inline constexpr std::uint64_t kMaxReadBytes = 512 << 20;

// What is wrong with a size, if anything is.
inline std::optional<Error> size_error(std::int64_t width, std::int64_t height,
                                       const std::string& name) {
    if (width >= 1 && height >= 1 && width <= kMaxReadSide && height <= kMaxReadSide &&
        width * height <= kMaxReadPixels)
        return std::nullopt;
    return Error{"is a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                     " pixels; at most 16384 a side and 2^26 in all can be read",
                 name};
}

}  // namespace ringlet
