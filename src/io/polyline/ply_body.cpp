#include "io/polyline/ply_body.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "io/bytes.h"
#include "io/text.h"
#include "math/srgb.h"

namespace ringlet {

PlyBody::PlyBody(std::string_view file, const PlyHeader& header)
    : rest_(file.substr(header.body_at)), ascii_(header.ascii), big_endian_(header.big_endian) {}

bool PlyBody::can_hold(const PlyElement& element) const {
    std::uint64_t least = 0;
    for (const PlyProperty& p : element.properties)
        least += ascii_ ? 2 : byte_size(p.count_type.value_or(p.type));
    return element.count <= (rest_.size() + ascii_) / least;  // the last may lack a line end
}

std::optional<double> PlyBody::next_bytes(PlyType type) {
    const std::size_t size = byte_size(type);
    if (rest_.size() < size) return std::nullopt;
    std::array<char, 8> little{};
    std::copy_n(rest_.begin(), size, little.begin());
    if (big_endian_) std::reverse(little.begin(), little.begin() + size);
    rest_.remove_prefix(size);
    const std::string_view bytes(little.data(), size);
    switch (type) {
        case PlyType::kInt8:
            return static_cast<std::int8_t>(bytes[0]);
        case PlyType::kUint8:
            return static_cast<std::uint8_t>(bytes[0]);
        case PlyType::kInt16:
            return static_cast<std::int16_t>(u16_at(bytes, 0));
        case PlyType::kUint16:
            return u16_at(bytes, 0);
        case PlyType::kInt32:
            return static_cast<std::int32_t>(u32_at(bytes, 0));
        case PlyType::kUint32:
            return u32_at(bytes, 0);
        case PlyType::kFloat:
            return double{f32_at(bytes, 0)};
        case PlyType::kDouble:
            return f64_at(bytes, 0);
    }
    return std::nullopt;
}

std::optional<double> PlyBody::next_word_value() {
    constexpr std::string_view kBlanks = " \t\r\n";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
    if (rest_.starts_with('+')) rest_.remove_prefix(1);
    const char* const last = rest_.data() + rest_.size();
    double value = 0;
    const auto [end, failure] = std::from_chars(rest_.data(), last, value);
    if (failure != std::errc{} || (end != last && kBlanks.find(*end) == kBlanks.npos))
        return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
}

std::string cut_short(const PlyElement& element, std::uint64_t i) {
    return "is cut short or damaged at " + in_quotes(element.name) + " " + std::to_string(i) +
           " of " + std::to_string(element.count) + " (counted from 0)";
}

float to_float(double value) {
    if (std::abs(value) <= double{std::numeric_limits<float>::max()})
        return static_cast<float>(value);
    return std::numeric_limits<float>::quiet_NaN();
}

float to_linear(double value, PlyType type) {
    if (type == PlyType::kFloat || type == PlyType::kDouble) return to_float(value);
    const double most = type == PlyType::kUint16 ? 65535 : 255;
    return linear_from_srgb(std::clamp(value / most, 0.0, 1.0));
}

std::optional<std::array<std::size_t, 3>> find_three(const PlyElement& element,
                                                     std::array<const char*, 3> names) {
    std::array<std::size_t, 3> out{};
    for (std::size_t i = 0; i < 3; ++i) {
        const int found = element.find(names[i]);
        if (found < 0) return std::nullopt;
        out[i] = static_cast<std::size_t>(found);
        if (element.properties[out[i]].count_type) return std::nullopt;
    }
    return out;
}

}  // namespace ringlet
