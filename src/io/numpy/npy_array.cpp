#include "io/numpy/npy_array.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include "io/bytes.h"
#include "io/text.h"

namespace ringlet {

namespace {

constexpr std::string_view kMagic{"\x93NUMPY", 6};
constexpr std::size_t kMostDimensions = 8;

// Reads the dictionary of an .npy header, which is a Python literal such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (10, 100, 3), }
class HeaderText {
public:
    explicit HeaderText(std::string_view text) : rest_(text) {}

    // Skips white space, then the symbol if it follows.
    bool take(char symbol) {
        while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())))
            rest_.remove_prefix(1);
        if (rest_.empty() || rest_.front() != symbol) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool take_word(std::string_view word) {
        take('\0');
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    std::optional<std::string_view> quoted() {
        const char quote = take('\'') ? '\'' : take('"') ? '"' : '\0';
        const std::size_t end = quote ? rest_.find(quote) : std::string_view::npos;
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view out = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return out;
    }
    std::optional<std::uint64_t> number() {
        take('\0');
        std::uint64_t out = 0;
        const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), out);
        if (failure != std::errc{}) return std::nullopt;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        take_word("L");  // written by Python 2
        return out;
    }

private:
    std::string_view rest_;
};

std::optional<std::string> read_type(std::string_view type, NpyArray& out) {
    if (type == "|O" || type == "O")
        return "is an array of Python objects, which cannot be read safely; save one float array "
               "of all points, and the number of points of each strand as an integer array "
               "\"counts\"";
    if (type.size() < 3 || type.find_first_of("<>=|") != 0)
        return "has items of the type " + in_quotes(type) + "; save numbers, as float32";
    out.big_endian = type[0] == '>';
    out.kind = type[1];
    const std::string_view size = type.substr(2);
    const bool is_known = out.kind == 'f' ? size == "2" || size == "4" || size == "8"
                          : out.kind == 'b'
                              ? size == "1"
                              : (out.kind == 'i' || out.kind == 'u') &&
                                    (size == "1" || size == "2" || size == "4" || size == "8");
    if (!is_known) return "has items of the type " + in_quotes(type) + "; save it as float32";
    out.item_bytes = static_cast<std::size_t>(size[0] - '0');
    return std::nullopt;
}

bool read_shape(HeaderText& text, NpyArray& out) {
    if (!text.take('(')) return false;
    while (!text.take(')')) {
        const std::optional<std::uint64_t> length = text.number();
        if (!length || out.shape.size() == kMostDimensions) return false;
        out.shape.push_back(*length);
        if (!text.take(',')) return text.take(')');
    }
    return true;
}

std::optional<std::string> read_header(std::string_view header, NpyArray& out) {
    const std::string damaged = "has a damaged header: " + in_quotes(trimmed(header));
    HeaderText text(header);
    if (!text.take('{')) return damaged;
    bool has_type = false, has_shape = false;
    while (!text.take('}')) {
        const auto key = text.quoted();
        if (!key || !text.take(':')) return damaged;
        if (*key == "descr") {
            const auto type = text.quoted();
            if (!type) return "has records of several fields; save an array of float32";
            if (auto wrong = read_type(*type, out)) return wrong;
            has_type = true;
        } else if (*key == "fortran_order") {
            out.fortran_order = text.take_word("True");
            if (!out.fortran_order && !text.take_word("False")) return damaged;
        } else if (*key == "shape") {
            if (!read_shape(text, out)) return damaged;
            has_shape = true;
        } else {
            return damaged;
        }
        if (!text.take(',')) {
            if (!text.take('}')) return damaged;
            break;
        }
    }
    return has_type && has_shape ? std::nullopt : std::optional(damaged);
}

// IEEE 754 binary16.
double from_half(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent == 31  ? (fraction ? std::nan("") : HUGE_VAL)
                        : exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -size : size;
}

}  // namespace

std::size_t NpyArray::stored_index(std::size_t index) const {
    if (!fortran_order) return index;
    std::size_t out = 0, rest = index, stride = item_count();
    for (std::size_t d = shape.size(); d-- > 0;) {
        const auto length = static_cast<std::size_t>(shape[d]);
        stride /= length;
        out += rest % length * stride;
        rest /= length;
    }
    return out;
}

double NpyArray::at(std::size_t index) const {
    const std::size_t first = stored_index(index) * item_bytes;
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < item_bytes; ++k) {
        const std::size_t byte = big_endian ? k : item_bytes - 1 - k;
        bits = bits << 8 | static_cast<std::uint8_t>(data[first + byte]);
    }
    if (kind == 'f' && item_bytes == 2) return from_half(static_cast<std::uint16_t>(bits));
    if (kind == 'f' && item_bytes == 4)
        return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
    if (kind == 'f') return std::bit_cast<double>(bits);
    if (kind != 'i') return static_cast<double>(bits);
    const std::size_t unused = 64 - 8 * item_bytes;
    return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

Result<NpyArray> parse_npy(std::string_view bytes) {
    if (bytes.size() < 10 || !bytes.starts_with(kMagic))
        return Error{"is not an .npy array: it does not start with a NUMPY header"};
    const bool is_short = bytes[6] == 1;
    const std::size_t start = is_short ? 10 : 12;
    if (bytes[6] < 1 || bytes[6] > 3 || bytes.size() < start)
        return Error{"has an unknown version of the .npy format"};
    const std::size_t length = is_short ? u16_at(bytes, 8) : u32_at(bytes, 8);
    if (length > bytes.size() - start) return Error{"is cut short within its header"};
    NpyArray out;
    if (auto wrong = read_header(bytes.substr(start, length), out)) return Error{*wrong};
    const std::string_view data = bytes.substr(start + length);
    std::uint64_t items = 1;
    const bool is_empty = std::ranges::count(out.shape, 0u) > 0;
    for (const std::uint64_t extent : out.shape) {
        if (is_empty) items = 0;
        // The file bounds the product, so it cannot overflow.
        if (items > 0 && extent > data.size() / out.item_bytes / items)
            return Error{"is cut short: its shape needs more than the " +
                         std::to_string(data.size()) + " bytes after its header"};
        items *= extent;
    }
    out.data = data.substr(0, static_cast<std::size_t>(items) * out.item_bytes);
    if (out.data.size() != data.size())
        return Error{out.data.size() < data.size() ? "has bytes after its last item"
                                                   : "is cut short"};
    return out;
}

std::string npy_bytes(std::string_view type, const std::vector<std::uint64_t>& shape,
                      std::string_view data) {
    std::string header =
        "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
    for (const std::uint64_t extent : shape) header += std::to_string(extent) + ", ";
    header += "), }";
    // numpy aligns the data to 64 bytes.
    header.append(63 - (10 + header.size()) % 64, ' ');
    header += '\n';
    std::string out(kMagic);
    out += std::string_view("\x01\x00", 2);
    append_u16(out, static_cast<std::uint16_t>(header.size()));
    out.reserve(out.size() + header.size() + data.size());
    out += header;
    out += data;
    return out;
}

}  // namespace ringlet
