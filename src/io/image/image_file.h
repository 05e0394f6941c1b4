// Reads and writes image files.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "ringlet/image.h"
#include "ringlet/result.h"

namespace ringlet {

// A format in which images are written. image_file.cpp defines and lists them.
struct ImageFormat {
    std::string_view name, extension, description;  // as in MeshFormat
    bool has_alpha;
    // Appends the encoded image to `out`. `channels` is 3 or 4; 3 if the format has no alpha.
    bool (*encode)(int width, int height, int channels, const void* pixels, std::string& out);
};
std::span<const ImageFormat* const> all_image_formats();

// Whether the extension, in any case, is that of an image format.
bool is_image_file(const std::filesystem::path& path);

// ".png or .bmp"
std::string image_extensions();

// Writes the image in the format of the extension. At most 2^28 pixels.
Result<void> write_image(const std::filesystem::path& path, const Image& image);

// Reads PNG, JPEG, BMP, TGA or PNM (P2, P3, P5, P6), recognized by content. Images without alpha
// are opaque; 16 bits are reduced to 8. At most 16384 pixels per side and 2^26 in total. Other
// formats are not supported, because the available decoders are not safe against malicious files.
Result<Image> read_image(const std::filesystem::path& path);

// Decodes the bytes of a file; error messages use `name` as the file.
Result<Image> parse_image(std::string_view bytes, const std::string& name);

}  // namespace ringlet
