#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/bytes.h"
#include "io/extensions.h"
#include "io/image/image_file.h"
#include "io/image/image_limits.h"
#include "io/image/jpeg.h"
#include "io/image/pnm.h"
#include "io/image/stb.h"

namespace ringlet {

namespace {

struct FreeStb {
    void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
};

bool is_png(std::string_view bytes) { return bytes.starts_with("\x89PNG\r\n\x1a\n"); }

bool is_bmp(std::string_view bytes) { return bytes.starts_with("BM"); }

// TGA has no magic number: the header must be valid and the file at least as long as it implies. A
// packet of compressed pixels holds at most 128.
bool is_whole_tga(std::string_view bytes) {
    constexpr std::size_t kHeader = 18;
    if (bytes.size() < kHeader) return false;
    const auto byte = [&](std::size_t at) {
        return std::uint64_t{static_cast<std::uint8_t>(bytes[at])};
    };
    const std::uint64_t palette = byte(1), type = byte(2) & ~std::uint64_t{8}, bits = byte(16);
    if (palette > 1 || type < 1 || type > 3 || (palette == 1) != (type == 1) || byte(2) > 11)
        return false;
    const std::uint64_t pixels = std::uint64_t{u16_at(bytes, 12)} * u16_at(bytes, 14);
    const std::uint64_t pixel_bytes = (bits + 7) / 8;
    const std::uint64_t before =
        kHeader + byte(0) + (palette ? u16_at(bytes, 5) * ((byte(7) + 7) / 8) : 0);
    const bool packed = byte(2) >= 8;
    return before + (packed ? (pixels + 127) / 128 * (1 + pixel_bytes) : pixels * pixel_bytes) <=
           bytes.size();
}

// Many programs write 32 bits per pixel with alpha 0 and declare in the header that alpha is
// unused.
void drop_unused_alpha(std::string_view tga, Image& image) {
    if (tga[17] & 15) return;
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
}

// `pixels_per_byte` is the most that a byte of a complete file can hold. A file with fewer bytes is
// refused before anything is allocated: stb reads missing bytes as 0.
Result<Image> parse_with_stb(std::string_view bytes, const std::string& name,
                             std::int64_t pixels_per_byte) {
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    const int size = static_cast<int>(bytes.size());
    Image image;
    int channels = 0;
    if (!stbi_info_from_memory(data, size, &image.width, &image.height, &channels))
        return Error{std::string("is not a supported image: ") + stbi_failure_reason(), name};
    if (auto wrong = size_error(image.width, image.height, name)) return *wrong;
    if (std::int64_t{image.width} * image.height / pixels_per_byte > std::ssize(bytes))
        return Error{"is cut short: it has too few bytes for its " + std::to_string(image.width) +
                         " x " + std::to_string(image.height) + " pixels",
                     name};
    const std::unique_ptr<stbi_uc, FreeStb> decoded(
        stbi_load_from_memory(data, size, &image.width, &image.height, &channels, 4));
    if (!decoded) return Error{std::string("is a damaged image: ") + stbi_failure_reason(), name};
    image.rgba.assign(decoded.get(), decoded.get() + std::int64_t{image.width} * image.height * 4);
    return image;
}

// Whether a chunk extends beyond the end of a PNG file. stb allocates the length that it states.
bool has_cut_chunk(std::string_view png) {
    constexpr std::size_t kSignature = 8, kBefore = 8, kChecksum = 4;  // bytes
    png.remove_prefix(kSignature);
    while (png.size() >= kBefore && png.substr(4, 4) != "IEND") {
        std::uint64_t length = 0;
        for (std::size_t k = 0; k < 4; ++k)
            length = length << 8 | static_cast<std::uint8_t>(png[k]);
        if (length > png.size() - kBefore) return true;
        png.remove_prefix(std::min<std::uint64_t>(kBefore + length + kChecksum, png.size()));
    }
    return false;
}

// One bit per pixel, deflated: at most 1032 to 1.
Result<Image> parse_png(std::string_view bytes, const std::string& name) {
    if (has_cut_chunk(bytes)) return Error{"is a damaged image: it is cut short", name};
    return parse_with_stb(bytes, name, std::int64_t{8} * 1032);
}

// One bit per pixel; stb does not read packed files.
Result<Image> parse_bmp(std::string_view bytes, const std::string& name) {
    return parse_with_stb(bytes, name, 8);
}

// Two bytes hold a packet of 128 pixels.
Result<Image> parse_tga(std::string_view bytes, const std::string& name) {
    Result<Image> image = parse_with_stb(bytes, name, 64);
    if (image) drop_unused_alpha(bytes, *image);
    return image;
}

// An image format that can be read.
struct ImageDecoder {
    const char* name;
    bool (*matches)(std::string_view bytes);  // recognizes the content
    Result<Image> (*parse)(std::string_view bytes, const std::string& name);
};

constexpr ImageDecoder kDecoders[] = {
    {"PNG", is_png, parse_png},       {"JPEG", is_jpeg, parse_jpeg}, {"BMP", is_bmp, parse_bmp},
    {"TGA", is_whole_tga, parse_tga}, {"PNM", is_pnm, parse_pnm},
};

}  // namespace

Result<Image> parse_image(std::string_view bytes, const std::string& name) {
    if (bytes.size() > kMaxReadBytes) return Error{"is larger than 512 MiB", name};
    std::vector<std::string> names;
    for (const ImageDecoder& decoder : kDecoders) {
        if (decoder.matches(bytes)) return decoder.parse(bytes, name);
        names.emplace_back(decoder.name);
    }
    return Error{"is not a supported image; use " + join_with_or(names), name};
}

}  // namespace ringlet
