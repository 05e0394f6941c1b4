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

bool encode_png(int width, int height, int channels, const void* pixels, std::string& out) {
    return stbi_write_png_to_func(append, &out, width, height, channels, pixels,
                                  width * channels) != 0;
}

bool encode_bmp(int width, int height, int channels, const void* pixels, std::string& out) {
    return stbi_write_bmp_to_func(append, &out, width, height, channels, pixels) != 0;
}

constexpr ImageFormat kPng{.name = "PNG",
                           .extension = ".png",
                           .description = "8 bits per channel, alpha unless opaque",
                           .has_alpha = true,
                           .encode = encode_png};
constexpr ImageFormat kBmp{.name = "BMP",
                           .extension = ".bmp",
                           .description = "24 bits, without alpha",
                           .has_alpha = false,
                           .encode = encode_bmp};

}  // namespace

std::span<const ImageFormat* const> all_image_formats() {
    static constexpr const ImageFormat* kAll[] = {&kPng, &kBmp};
    return kAll;
}

bool is_image_file(const std::filesystem::path& path) {
    return find_by_extension(all_image_formats(), path) != nullptr;
}

std::string image_extensions() { return list_extensions(all_image_formats()); }

Result<void> write_image(const std::filesystem::path& path, const Image& image) {
    const ImageFormat* const format = find_by_extension(all_image_formats(), path);
    if (!format)
        return Error{"unknown image extension \"" + lower_case_extension(path) + "\"; use " +
                         image_extensions(),
                     path.string()};
    const std::int64_t pixels = std::int64_t{image.width} * image.height;
    if (image.width < 1 || image.height < 1 || pixels > kMaxWritePixels ||
        image.rgba.size() != static_cast<std::size_t>(pixels) * 4)
        return Error{"cannot be written: an image of " + std::to_string(image.width) + " x " +
                         std::to_string(image.height) + " pixels with " +
                         std::to_string(image.rgba.size()) + " bytes",
                     path.string()};

    const bool alpha = format->has_alpha && !is_opaque(image);
    const std::vector<std::uint8_t> rgb =
        alpha ? std::vector<std::uint8_t>{} : without_alpha(image);
    const std::uint8_t* data = alpha ? image.rgba.data() : rgb.data();
    std::string bytes;
    if (!format->encode(image.width, image.height, alpha ? 4 : 3, data, bytes))
        return Error{"cannot be encoded: not enough memory", path.string()};
    return write_file(path, bytes);
}

Result<Image> read_image(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_file(path, kMaxReadBytes);
    if (!bytes) return bytes.error();
    return parse_image(*bytes, path.string());
}

}  // namespace ringlet
