#include "io/image/radiance.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

#include "io/image/image_limits.h"

namespace ringlet {

namespace {

class RadianceReader {
public:
    RadianceReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

    Result<LinearImage> read();

private:
    static constexpr std::size_t kMaxLine = 4096;

    Error wrong(const std::string& what) const { return Error{what, name_}; }
    // The next line of the header without its end.
    std::optional<std::string> line();
    Result<void> read_header();
    bool read_row(std::size_t width);
    bool read_runs(std::size_t width);
    unsigned byte(std::size_t at) const { return static_cast<unsigned char>(bytes_[at]); }

    std::string_view bytes_;
    const std::string& name_;
    std::size_t at_ = 0;
    int width_ = 0, height_ = 0;
    std::vector<unsigned char> row_;  // red, green, blue and exponent of all pixels, one by one
};

std::optional<std::string> RadianceReader::line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos || end - at_ > kMaxLine) return std::nullopt;
    std::string out(bytes_.substr(at_, end - at_));
    at_ = end + 1;
    if (out.ends_with('\r')) out.pop_back();
    return out;
}

Result<void> RadianceReader::read_header() {
    if (!is_radiance(bytes_)) return wrong("is not a Radiance picture");
    std::optional<std::string> text = line();
    while ((text = line()) && !text->empty())
        if (text->starts_with("FORMAT=") && *text != "FORMAT=32-bit_rle_rgbe")
            return wrong("is a Radiance picture of " + text->substr(7) +
                         "; save it as 32-bit_rle_rgbe");
    if (text) text = line();
    if (!text) return wrong("is a damaged Radiance picture");
    int used = 0;
    if (std::sscanf(text->c_str(), "-Y %9d +X %9d%n", &height_, &width_, &used) != 2 ||
        static_cast<std::size_t>(used) != text->size())
        return wrong(
            "is a Radiance picture of unusual orientation; save it with rows from the top");
    if (auto wrong_size = size_error(width_, height_, name_)) return *wrong_size;
    return {};
}

// The four bytes of all pixels one after the other in runs: 128 + n copies of a byte, or n bytes.
bool RadianceReader::read_runs(std::size_t width) {
    at_ += 4;
    for (std::size_t channel = 0; channel < 4; ++channel)
        for (std::size_t x = 0; x < width;) {
            if (at_ >= bytes_.size()) return false;
            const unsigned code = byte(at_++);
            const bool is_run = code > 128;
            const std::size_t count = is_run ? code - 128 : code, stored = is_run ? 1 : count;
            if (count == 0 || count > width - x || bytes_.size() - at_ < stored) return false;
            for (std::size_t i = 0; i < count; ++i, ++x)
                row_[x * 4 + channel] = static_cast<unsigned char>(byte(at_ + (is_run ? 0 : i)));
            at_ += stored;
        }
    return true;
}

bool RadianceReader::read_row(std::size_t width) {
    if (bytes_.size() - at_ < 4) return false;
    const bool has_runs = width >= 8 && width < 32768 && byte(at_) == 2 && byte(at_ + 1) == 2 &&
                          (byte(at_ + 2) << 8 | byte(at_ + 3)) == width;
    if (has_runs) return read_runs(width);
    if (bytes_.size() - at_ < width * 4) return false;
    for (std::size_t i = 0; i < width * 4; ++i) row_[i] = static_cast<unsigned char>(byte(at_ + i));
    at_ += width * 4;
    return true;
}

Result<LinearImage> RadianceReader::read() {
    const Result<void> begun = read_header();
    if (!begun) return begun.error();
    // A row in runs has at least 4 bytes for its start and 2 for 127 pixels of a channel.
    if ((bytes_.size() - at_) / 4 < static_cast<std::size_t>(height_))
        return wrong("is a truncated Radiance picture");
    const auto width = static_cast<std::size_t>(width_), height = static_cast<std::size_t>(height_);
    LinearImage image{width_, height_, {}};
    for (const char* const name : {"R", "G", "B"})
        image.channels.push_back({name, std::vector<float>(width * height), true});
    row_.resize(width * 4);
    for (std::size_t y = 0; y < height; ++y) {
        if (!read_row(width)) return wrong("is a truncated or damaged Radiance picture");
        for (std::size_t x = 0; x < width; ++x) {
            const int exponent = row_[x * 4 + 3];
            const float unit = exponent == 0 ? 0 : std::ldexp(1.0f, exponent - 136);
            for (std::size_t c = 0; c < 3; ++c)
                image.channels[c].values[y * width + x] =
                    static_cast<float>(row_[x * 4 + c]) * unit;
        }
    }
    return image;
}

}  // namespace

bool is_radiance(std::string_view bytes) { return bytes.starts_with("#?"); }

Result<LinearImage> parse_radiance(std::string_view bytes, const std::string& name) {
    return RadianceReader(bytes, name).read();
}

}  // namespace ringlet
