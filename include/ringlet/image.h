// An uncompressed image in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringlet {

// 8-bit sRGB colour with straight (not premultiplied) alpha. Rows run from top to bottom, pixels
// from left to right, four bytes per pixel in the order R, G, B, A, without padding between rows.
// A plain value: copying copies the pixels.
struct Image {
    int width = 0;   // pixels
    int height = 0;  // pixels
    // Size: width * height * 4 bytes. Empty for an image without pixels.
    std::vector<std::uint8_t> rgba;

    // Returns a pointer to the four bytes of pixel (x, y); (0, 0) is the upper left corner.
    // Precondition: 0 <= x < width and 0 <= y < height. Valid until `rgba` is resized.
    std::uint8_t* pixel(int x, int y) {
        return &rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)) *
                     4];
    }
    // The same, read-only.
    const std::uint8_t* pixel(int x, int y) const { return const_cast<Image*>(this)->pixel(x, y); }
};

}  // namespace ringlet
