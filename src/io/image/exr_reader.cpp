// Reads OpenEXR files (openexr.com, "OpenEXR File Layout"). Every size and offset is checked.
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "io/bytes.h"
#include "io/image/exr.h"
#include "io/image/image_limits.h"

namespace ringlet {

namespace {

// Compressions by their number, and the lines of a block.
struct ExrCompression {
    const char* name;
    int lines;  // 0: not supported
};
constexpr ExrCompression kExrCompressions[] = {{"none", 1}, {"RLE", 0},   {"ZIPS", 1}, {"ZIP", 16},
                                               {"PIZ", 0},  {"PXR24", 0}, {"B44", 0},  {"B44A", 0},
                                               {"DWAA", 0}, {"DWAB", 0}};

struct ExrChannel {
    std::string name;
    bool is_half;
    std::size_t size() const { return is_half ? 2 : 4; }
};

struct ExrHeader {
    std::vector<ExrChannel> channels;
    std::optional<std::size_t> compression;  // index in kExrCompressions
    std::optional<std::int64_t> left;        // of the data window, as the following
    std::int64_t top = 0, right = 0, bottom = 0;

    int width() const { return static_cast<int>(right - *left + 1); }
    int height() const { return static_cast<int>(bottom - top + 1); }
    std::size_t line_bytes() const {
        std::size_t sum = 0;
        for (const ExrChannel& channel : channels) sum += channel.size();
        return sum * static_cast<std::size_t>(width());
    }
};

class ExrReader {
public:
    static constexpr std::uint32_t kMagic = 20000630;

    ExrReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

    Result<LinearImage> read();

private:
    static constexpr std::uint32_t kVersion = 2, kTiled = 0x200, kDeep = 0x800, kMultiPart = 0x1000;
    static constexpr std::size_t kMaxName = 255, kMaxChannels = 256, kNoCompression = 0;

    Error wrong(const std::string& what) const { return Error{what, name_}; }
    Error damaged() const { return wrong("is a damaged OpenEXR file"); }
    bool has(std::size_t count) const { return bytes_.size() - at_ >= count; }
    std::optional<std::string> text();

    Result<void> read_header();
    Result<void> read_attribute(const std::string& name, std::string_view value);
    Result<void> read_channels(std::string_view value);
    Result<void> check_header();
    Result<void> read_blocks(LinearImage& image);
    Result<void> read_block(std::uint64_t offset, LinearImage& image, std::vector<char>& is_read);
    std::optional<std::string> expanded(std::string_view packed, std::size_t size) const;

    std::string_view bytes_;
    const std::string& name_;
    std::size_t at_ = 0;
    ExrHeader header_;
};

// A text that ends with a zero byte.
std::optional<std::string> ExrReader::text() {
    const std::size_t end = bytes_.find('\0', at_);
    if (end == std::string_view::npos || end - at_ > kMaxName) return std::nullopt;
    std::string out(bytes_.substr(at_, end - at_));
    at_ = end + 1;
    return out;
}

Result<void> ExrReader::read_channels(std::string_view value) {
    constexpr std::size_t kNumbers = 16;  // type, linearity and the two samplings
    std::size_t at = 0;
    while (at < value.size() && value[at] != '\0') {
        const std::size_t end = value.find('\0', at);
        if (end == std::string_view::npos || value.size() - end - 1 < kNumbers) return damaged();
        const std::uint32_t type = u32_at(value, end + 1);
        if (type != 1 && type != 2) return wrong("has channels of integers; save it as floats");
        if (u32_at(value, end + 9) != 1 || u32_at(value, end + 13) != 1)
            return wrong("has subsampled channels; save it as RGB");
        header_.channels.push_back({std::string(value.substr(at, end - at)), type == 1});
        if (header_.channels.size() > kMaxChannels) return wrong("has more than 256 channels");
        at = end + 1 + kNumbers;
    }
    return {};
}

Result<void> ExrReader::read_attribute(const std::string& name, std::string_view value) {
    if (name == "channels") return read_channels(value);
    if (name == "compression") {
        if (value.size() != 1) return damaged();
        const auto index = static_cast<std::size_t>(static_cast<unsigned char>(value[0]));
        if (index >= std::size(kExrCompressions)) return damaged();
        if (kExrCompressions[index].lines == 0)
            return wrong(std::string("is compressed by ") + kExrCompressions[index].name +
                         "; save it with ZIP or without compression");
        header_.compression = index;
    }
    if (name == "dataWindow") {
        if (value.size() != 16) return damaged();
        const auto number = [&](std::size_t at) {
            return std::int64_t{static_cast<std::int32_t>(u32_at(value, at))};
        };
        header_.left = number(0);
        header_.top = number(4);
        header_.right = number(8);
        header_.bottom = number(12);
    }
    return {};
}

Result<void> ExrReader::read_header() {
    if (!is_exr(bytes_) || !has(8)) return wrong("is not an OpenEXR file");
    const std::uint32_t version = u32_at(bytes_, 4);
    if ((version & 255u) != kVersion) return wrong("is an OpenEXR file of an unknown version");
    if (version & (kTiled | kDeep | kMultiPart))
        return wrong(
            "is an OpenEXR file of tiles, several parts or deep pixels; save one part of "
            "scan lines");
    at_ = 8;
    while (has(1) && bytes_[at_] != '\0') {
        const std::optional<std::string> name = text(), type = name ? text() : std::nullopt;
        if (!type || !has(4)) return damaged();
        const std::uint32_t size = u32_at(bytes_, at_);
        at_ += 4;
        if (!has(size)) return damaged();
        const Result<void> done = read_attribute(*name, bytes_.substr(at_, size));
        if (!done) return done;
        at_ += size;
    }
    if (!has(1)) return damaged();
    ++at_;
    return check_header();
}

Result<void> ExrReader::check_header() {
    if (!header_.compression || !header_.left || header_.channels.empty()) return damaged();
    if (auto wrong_size =
            size_error(header_.right - *header_.left + 1, header_.bottom - header_.top + 1, name_))
        return *wrong_size;
    return {};
}

// Undoes ZIP compression: zlib, then sums of the differences, then the even and the odd bytes.
std::optional<std::string> ExrReader::expanded(std::string_view packed, std::size_t size) const {
    if (packed.size() == size) return std::string(packed);
    if (*header_.compression == kNoCompression) return std::nullopt;
    std::string bytes(size, '\0'), out(size, '\0');
    uLongf length = static_cast<uLongf>(size);
    const int done = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                                reinterpret_cast<const Bytef*>(packed.data()),
                                static_cast<uLong>(packed.size()));
    if (done != Z_OK || length != size) return std::nullopt;
    for (std::size_t i = 1; i < size; ++i)
        bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i - 1]) +
                                     static_cast<unsigned char>(bytes[i]) - 128);
    for (std::size_t i = 0; i < size; ++i) out[i] = bytes[i / 2 + (i % 2) * ((size + 1) / 2)];
    return out;
}

Result<void> ExrReader::read_block(std::uint64_t offset, LinearImage& image,
                                   std::vector<char>& is_read) {
    if (offset > bytes_.size() || bytes_.size() - offset < 8) return damaged();
    const auto start = static_cast<std::size_t>(offset);
    const std::int64_t first =
        std::int64_t{static_cast<std::int32_t>(u32_at(bytes_, start))} - header_.top;
    const std::uint32_t packed = u32_at(bytes_, start + 4);
    const int lines = kExrCompressions[*header_.compression].lines;
    if (first < 0 || first >= image.height || first % lines != 0 ||
        packed > bytes_.size() - start - 8)
        return damaged();
    char& is_known = is_read[static_cast<std::size_t>(first / lines)];
    const auto last = std::min(first + lines, std::int64_t{image.height});
    const std::optional<std::string> raw =
        expanded(bytes_.substr(start + 8, packed),
                 header_.line_bytes() * static_cast<std::size_t>(last - first));
    if (!raw || is_known) return damaged();
    is_known = 1;
    std::size_t at = 0;
    const auto width = static_cast<std::size_t>(image.width);
    for (std::int64_t y = first; y < last; ++y)
        for (const ExrChannel& channel : header_.channels) {
            for (LinearChannel& kept : image.channels)
                for (std::size_t x = 0; kept.name == channel.name && x < width; ++x)
                    kept.values[static_cast<std::size_t>(y) * width + x] =
                        channel.is_half ? half_value(u16_at(*raw, at + x * 2))
                                        : f32_at(*raw, at + x * 4);
            at += channel.size() * width;
        }
    return {};
}

Result<void> ExrReader::read_blocks(LinearImage& image) {
    const int lines = kExrCompressions[*header_.compression].lines;
    const auto blocks = static_cast<std::size_t>((image.height + lines - 1) / lines);
    if (!has(blocks * 8)) return damaged();
    std::vector<char> is_read(blocks);
    for (std::size_t i = 0; i < blocks; ++i) {
        const Result<void> done = read_block(u64_at(bytes_, at_ + i * 8), image, is_read);
        if (!done) return done;
    }
    return {};
}

Result<LinearImage> ExrReader::read() {
    const Result<void> begun = read_header();
    if (!begun) return begun.error();
    LinearImage image{header_.width(), header_.height(), {}};
    const auto pixels =
        static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
    for (const char* const kept : {"R", "G", "B"}) {
        bool is_there = false;
        for (const ExrChannel& channel : header_.channels) is_there |= channel.name == kept;
        if (!is_there) return wrong("has no channels R, G and B");
        image.channels.push_back({kept, std::vector<float>(pixels), true});
    }
    const Result<void> done = read_blocks(image);
    if (!done) return done.error();
    return image;
}

}  // namespace

float half_value(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const float sign = bits & 0x8000 ? -1.0f : 1.0f;
    if (exponent == 31)
        return mantissa ? std::numeric_limits<float>::quiet_NaN()
                        : sign * std::numeric_limits<float>::infinity();
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -24);
    return sign * std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
}

bool is_exr(std::string_view bytes) {
    return bytes.size() >= 4 && u32_at(bytes, 0) == ExrReader::kMagic;
}

Result<LinearImage> parse_exr(std::string_view bytes, const std::string& name) {
    return ExrReader(bytes, name).read();
}

}  // namespace ringlet
