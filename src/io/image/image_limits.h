// Limits on the size of images that are read, for all formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ringlet/result.h"

namespace ringlet {

inline constexpr std::int64_t kMaxReadSide = 16384;
inline constexpr std::int64_t kMaxReadPixels = 1 << 26;
inline constexpr std::uint64_t kMaxReadBytes = 512 << 20;

// An error if the size is zero or beyond the limits.
inline std::optional<Error> size_error(std::int64_t width, std::int64_t height,
                                       const std::string& name) {
    if (width >= 1 && height >= 1 && width <= kMaxReadSide && height <= kMaxReadSide &&
        width * height <= kMaxReadPixels)
        return std::nullopt;
    return Error{"is an image of " + std::to_string(width) + " x " + std::to_string(height) +
                     " pixels; at most 16384 per side and 2^26 in total are supported",
                 name};
}

}  // namespace ringlet
