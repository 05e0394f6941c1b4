#include "io/image/image_file.h"

#include <string>

#include "base/files.h"
#include "io/extensions.h"
#include "io/image/image_limits.h"
#include "io/image/stb.h"

namespace ringlet {

namespace {

// stb uses int for byte counts.
constexpr std::int64_t kMaxWritePixels = 1 << 28;

bool is_opaque(const Image& image) {
    for (std::size_t i = 3; i < image.rgba.size(); i += 4)
        if (image.rgba[i] != 255) return false;
    return true;
}

std::vector<std::uint8_t> without_alpha(const Image& image) {
    std::vector<std::uint8_t> rgb;
    rgb.reserve(image.rgba.size() / 4 * 3);
    for (std::size_t i = 0; i < image.rgba.size(); i += 4)
        rgb.insert(rgb.end(), &image.rgba[i], &image.rgba[i] + 3);
    return rgb;
}

void append(void* out, void* data, int size) {
    static_cast<std::string*>(out)->append(static_cast<const char*>(data),
                                           static_cast<std::size_t>(size));
}

}  // namespace

Result<void> write_image(const std::filesystem::path& path, const Image& image) {
    const std::string extension = lower_case_extension(path);
    const bool png = extension == ".png";
    if (!png && extension != ".bmp")
        return Error{"unknown image extension \"" + extension + "\"; use .png or .bmp",
                     path.string()};
    const std::int64_t pixels = std::int64_t{image.width} * image.height;
    if (image.width < 1 || image.height < 1 || pixels > kMaxWritePixels ||
        image.rgba.size() != static_cast<std::size_t>(pixels) * 4)
        return Error{"cannot be written: an image of " + std::to_string(image.width) + " x " +
                         std::to_string(image.height) + " pixels with " +
                         std::to_string(image.rgba.size()) + " bytes",
                     path.string()};

    const bool alpha = png && !is_opaque(image);
    const std::vector<std::uint8_t> rgb =
        alpha ? std::vector<std::uint8_t>{} : without_alpha(image);
    const std::uint8_t* data = alpha ? image.rgba.data() : rgb.data();
    const int channels = alpha ? 4 : 3;
    std::string bytes;
    const int written =
        png ? stbi_write_png_to_func(append, &bytes, image.width, image.height, channels, data,
                                     image.width * channels)
            : stbi_write_bmp_to_func(append, &bytes, image.width, image.height, channels, data);
    if (!written) return Error{"cannot be encoded: not enough memory", path.string()};
    return write_file(path, bytes);
}

Result<Image> read_image(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_file(path, kMaxReadBytes);
    if (!bytes) return bytes.error();
    return parse_image(*bytes, path.string());
}

}  // namespace ringlet
