#include "io/image/pnm.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "io/image/image_limits.h"

namespace ringlet {

namespace {

constexpr std::string_view kPnmBlanks = " \t\n\v\f\r";

// Decimal numbers, separated by white space and by comments that extend to the end of their line.
class PnmText {
public:
    explicit PnmText(std::string_view rest) : rest_(rest) {}

    // The next number; -1 if there is none or it does not fit an int.
    int number() {
        skip(rest_.find_first_not_of(kPnmBlanks));
        while (rest_.starts_with('#')) {
            skip(rest_.find_first_of("\r\n"));
            skip(rest_.find_first_not_of(kPnmBlanks));
        }
        int value = -1;
        const auto [end, failure] =
            std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return failure == std::errc{} ? value : -1;
    }
    // The binary samples: they start after the single white space character after the header.
    std::string_view raster() const { return rest_.substr(std::min<std::size_t>(1, rest_.size())); }

private:
    void skip(std::size_t count) { rest_.remove_prefix(std::min(count, rest_.size())); }

    std::string_view rest_;
};

std::uint8_t to_byte(int value, int most) {
    return static_cast<std::uint8_t>((std::min(value, most) * 255 + most / 2) / most);
}

// A `wide` sample has two bytes, the most significant first.
int sample(std::string_view raster, std::size_t i, bool wide) {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(raster[at]); };
    return wide ? byte(i * 2) << 8 | byte(i * 2 + 1) : byte(i);
}

}  // namespace

Result<Image> parse_pnm(std::string_view bytes, const std::string& name) {
    const bool text = bytes[1] <= '3', colour = bytes[1] == '3' || bytes[1] == '6';
    PnmText in(bytes.substr(2));
    const int width = in.number(), height = in.number(), most = in.number();
    if (width < 0 || height < 0 || most < 1 || most > 65535)
        return Error{
            "is a damaged image: a PNM header needs a width, a height and a largest value from 1 "
            "to 65535",
            name};
    if (auto wrong = size_error(width, height, name)) return *wrong;
    const Error too_short{"is a damaged image: it ends before its last pixel", name};
    const std::size_t channels = colour ? 3 : 1;
    const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    const bool wide = most > 255;
    const std::string_view raster = in.raster();
    // An ASCII number takes a digit and a separator, which the last one may lack.
    if (raster.size() + (text ? 1 : 0) < pixels * channels * (text || wide ? 2 : 1))
        return too_short;
    Image image{width, height, std::vector<std::uint8_t>(pixels * 4, 255)};
    for (std::size_t i = 0; i < pixels * channels; ++i) {
        const int value = text ? in.number() : sample(raster, i, wide);
        if (value < 0) return too_short;
        std::uint8_t* pixel = &image.rgba[i / channels * 4];
        const std::uint8_t byte = to_byte(value, most);
        if (colour)
            pixel[i % 3] = byte;
        else
            std::fill_n(pixel, 3, byte);
    }
    return image;
}

}  // namespace ringlet
