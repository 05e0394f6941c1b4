#include "io/image/exr.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/assert.h"
#include "base/files.h"
#include "io/extensions.h"

namespace ringlet {

namespace {

// Constants of the file format (openexr.com, "OpenEXR File Layout").
constexpr std::uint32_t kMagic = 20000630, kVersion = 2;
constexpr int kBlockLines = 16;  // of ZIP compression
constexpr char kZip = 3, kIncreasingY = 0;
constexpr std::int32_t kHalf = 1, kFloat = 2;

template <class T>
void append(std::string& out, T value) {
    static_assert(std::endian::native == std::endian::little);
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out.append(bytes, sizeof value);
}

void append_attribute(std::string& out, std::string_view name, std::string_view type,
                      const std::string& value) {
    out.append(name).push_back('\0');
    out.append(type).push_back('\0');
    append(out, static_cast<std::int32_t>(value.size()));
    out.append(value);
}

template <class T, class... More>
std::string bytes_of(T first, More... more) {
    std::string out;
    append(out, first);
    (append(out, more), ...);
    return out;
}

// Readers expect the channels sorted by name.
std::vector<const LinearChannel*> sorted_channels(const LinearImage& image) {
    std::vector<const LinearChannel*> out;
    for (const LinearChannel& channel : image.channels) out.push_back(&channel);
    std::ranges::sort(out, {}, &LinearChannel::name);
    return out;
}

std::string header_of(const LinearImage& image, const std::vector<const LinearChannel*>& channels) {
    std::string list;
    for (const LinearChannel* channel : channels) {
        list.append(channel->name).push_back('\0');
        append(list, channel->is_precise ? kFloat : kHalf);
        append(list, std::uint32_t{0});  // not perceptually linear, and three reserved bytes
        append(list, std::int32_t{1});   // sampled at every pixel, in x and y
        append(list, std::int32_t{1});
    }
    list.push_back('\0');
    const std::string window =
        bytes_of(std::int32_t{0}, std::int32_t{0}, std::int32_t{image.width - 1},
                 std::int32_t{image.height - 1});
    std::string out = bytes_of(kMagic, kVersion);
    append_attribute(out, "channels", "chlist", list);
    append_attribute(out, "compression", "compression", std::string(1, kZip));
    append_attribute(out, "dataWindow", "box2i", window);
    append_attribute(out, "displayWindow", "box2i", window);
    append_attribute(out, "lineOrder", "lineOrder", std::string(1, kIncreasingY));
    append_attribute(out, "pixelAspectRatio", "float", bytes_of(1.0f));
    append_attribute(out, "screenWindowCenter", "v2f", bytes_of(0.0f, 0.0f));
    append_attribute(out, "screenWindowWidth", "float", bytes_of(1.0f));
    out.push_back('\0');
    return out;
}

// The lines of a block: line by line, channel by channel.
std::string block_of(const LinearImage& image, const std::vector<const LinearChannel*>& channels,
                     int first, int last) {
    std::string out;
    const auto width = static_cast<std::size_t>(image.width);
    for (int y = first; y < last; ++y)
        for (const LinearChannel* channel : channels) {
            const float* const line = &channel->values[static_cast<std::size_t>(y) * width];
            for (std::size_t x = 0; x < width; ++x)
                if (channel->is_precise)
                    append(out, line[x]);
                else
                    append(out, half_bits(line[x]));
        }
    return out;
}

// ZIP compression of OpenEXR: even bytes before odd ones, then differences, then zlib. A block that
// does not shrink is stored as it is.
std::string compressed(const std::string& raw) {
    std::string bytes(raw.size(), '\0');
    const std::size_t half = (raw.size() + 1) / 2;
    for (std::size_t i = 0; i < raw.size(); ++i) bytes[i / 2 + (i % 2) * half] = raw[i];
    unsigned before = static_cast<unsigned char>(bytes.empty() ? '\0' : bytes[0]);
    for (std::size_t i = 1; i < bytes.size(); ++i) {
        const unsigned own = static_cast<unsigned char>(bytes[i]);
        bytes[i] = static_cast<char>(static_cast<unsigned char>(own - before + 128));
        before = own;
    }
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string out(size, '\0');
    const int done =
        compress(reinterpret_cast<Bytef*>(out.data()), &size,
                 reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()));
    if (done != Z_OK || size >= raw.size()) return raw;
    out.resize(size);
    return out;
}

}  // namespace

bool is_exr_file(const std::filesystem::path& path) {
    return lower_case_extension(path) == kExrExtension;
}

std::uint16_t half_bits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const std::uint32_t size = bits & 0x7fffffffu;
    if (size > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);  // NaN
    if (size >= 0x477ff000u)
        return static_cast<std::uint16_t>(sign | 0x7c00u);  // rounds to infinity
    if (size < 0x33000000u) return sign;                    // rounds to zero
    const std::uint32_t exponent = size >> 23;
    // The mantissa with its leading bit, and how many bits a half cannot hold.
    const std::uint32_t mantissa = (size & 0x7fffffu) | 0x800000u;
    const std::uint32_t dropped = exponent < 113 ? 126 - exponent : 13;
    const std::uint32_t kept = mantissa >> dropped, rest = mantissa & ((1u << dropped) - 1);
    const std::uint32_t middle = 1u << (dropped - 1);
    std::uint32_t out = exponent < 113 ? kept : kept + ((exponent - 113) << 10);
    if (rest > middle || (rest == middle && (kept & 1u))) ++out;
    return static_cast<std::uint16_t>(sign | out);
}

std::string encode_exr(const LinearImage& image) {
    const auto pixels =
        static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
    for (const LinearChannel& channel : image.channels)
        RINGLET_ASSERT(channel.values.size() == pixels, "a channel has a value for every pixel");
    const std::vector<const LinearChannel*> channels = sorted_channels(image);
    std::string out = header_of(image, channels);
    const int blocks = (image.height + kBlockLines - 1) / kBlockLines;
    std::size_t offsets = out.size();
    out.resize(out.size() + static_cast<std::size_t>(blocks) * sizeof(std::uint64_t));
    for (int block = 0; block < blocks; ++block) {
        const std::uint64_t start = out.size();
        std::memcpy(&out[offsets], &start, sizeof start);
        offsets += sizeof start;
        const int first = block * kBlockLines, last = std::min(first + kBlockLines, image.height);
        const std::string bytes = compressed(block_of(image, channels, first, last));
        append(out, std::int32_t{first});
        append(out, static_cast<std::int32_t>(bytes.size()));
        out += bytes;
    }
    return out;
}

Result<void> write_exr(const std::filesystem::path& path, const LinearImage& image) {
    if (image.width < 1 || image.height < 1 || image.channels.empty())
        return Error{"cannot be written: an image without pixels", path.string()};
    return write_file(path, encode_exr(image));
}

}  // namespace ringlet
