// A picture in memory: 8-bit sRGB with straight alpha, rows from top to bottom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringlet {

struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;  // width * height * 4 bytes

    std::uint8_t* pixel(int x, int y) {
        return &rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)) *
                     4];
    }
    const std::uint8_t* pixel(int x, int y) const { return const_cast<Image*>(this)->pixel(x, y); }
};

}  // namespace ringlet
