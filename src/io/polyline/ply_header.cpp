#include "io/polyline/ply_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "io/text.h"

namespace ringlet {

namespace {

// Far more than files need; without a limit the parsed header could be much larger than its text.
constexpr std::size_t kMaxElements = 64, kMaxProperties = 256;

struct TypeName {
    std::string_view name, other_name;
    PlyType type;
    std::size_t bytes;
};

constexpr std::array<TypeName, 8> kTypes{{
    {"char", "int8", PlyType::kInt8, 1},
    {"uchar", "uint8", PlyType::kUint8, 1},
    {"short", "int16", PlyType::kInt16, 2},
    {"ushort", "uint16", PlyType::kUint16, 2},
    {"int", "int32", PlyType::kInt32, 4},
    {"uint", "uint32", PlyType::kUint32, 4},
    {"float", "float32", PlyType::kFloat, 4},
    {"double", "float64", PlyType::kDouble, 8},
}};

std::optional<PlyType> type_of(std::string_view word) {
    for (const TypeName& t : kTypes)
        if (word == t.name || word == t.other_name) return t.type;
    return std::nullopt;
}

// The functions below return an error message, or an empty string.

std::string read_format(std::string_view rest, PlyHeader& header) {
    const std::string_view format = next_word(rest);
    header.ascii = format == "ascii";
    header.big_endian = format == "binary_big_endian";
    if (header.ascii || header.big_endian || format == "binary_little_endian") return {};
    return "unknown format " + in_quotes(format) +
           "; use ascii, binary_little_endian or binary_big_endian";
}

std::string read_element(std::string_view rest, PlyHeader& header) {
    const std::string_view name = next_word(rest), word = next_word(rest);
    std::uint64_t count = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), count);
    if (failure != std::errc{} || end != word.data() + word.size())
        return in_quotes(word) + " where the number of elements " + in_quotes(name) + " is needed";
    if (header.elements.size() == kMaxElements)
        return "has more than " + std::to_string(kMaxElements) + " elements";
    header.elements.push_back({std::string(name), count, {}});
    return {};
}

std::string read_property(std::string_view rest, PlyHeader& header) {
    if (header.elements.empty()) return "property before any element";
    std::vector<PlyProperty>& properties = header.elements.back().properties;
    if (properties.size() == kMaxProperties)
        return "has more than " + std::to_string(kMaxProperties) + " properties of one element";
    std::string_view word = next_word(rest);
    const bool list = word == "list";
    std::optional<PlyType> count_type;
    if (list) {
        word = next_word(rest);
        count_type = type_of(word);
        if (!count_type || *count_type == PlyType::kFloat || *count_type == PlyType::kDouble)
            return in_quotes(word) + " where the whole-number type of a list's length is needed";
        word = next_word(rest);
    }
    const std::optional<PlyType> type = type_of(word);
    if (!type) return in_quotes(word) + " where the type of a property is needed";
    properties.push_back({std::string(next_word(rest)), *type, count_type});
    return {};
}

std::string read_line(std::string_view rest, PlyHeader& header) {
    const std::string_view keyword = next_word(rest);
    if (keyword == "format") return read_format(rest, header);
    if (keyword == "element") return read_element(rest, header);
    if (keyword == "property") return read_property(rest, header);
    if (keyword == "comment" || keyword == "obj_info" || keyword.empty()) return {};
    return in_quotes(keyword) + " is not a keyword of a PLY header";
}

}  // namespace

std::size_t byte_size(PlyType type) { return kTypes[static_cast<std::size_t>(type)].bytes; }

int PlyElement::find(std::string_view property) const {
    const auto found = std::ranges::find(properties, property, &PlyProperty::name);
    return found == properties.end() ? -1 : static_cast<int>(found - properties.begin());
}

Result<PlyHeader> parse_ply_header(std::string_view bytes, const std::string& name) {
    PlyHeader header;
    Lines lines(bytes);
    if (!lines.next() || lines.line != "ply")
        return Error{"is not a PLY file: its first line is not \"ply\"", name};
    bool any_format = false;
    while (lines.next()) {
        if (trimmed(lines.line) == "end_header") {
            header.body_at = static_cast<std::size_t>(lines.rest().data() - bytes.data());
            for (const PlyElement& e : header.elements)
                if (e.properties.empty())
                    return Error{"element " + in_quotes(e.name) + " has no properties", name};
            if (!any_format) return Error{"has no format line in its header", name};
            return header;
        }
        any_format = any_format || lines.line.starts_with("format");
        if (const std::string wrong = read_line(lines.line, header); !wrong.empty())
            return Error{wrong, name, lines.number};
    }
    return Error{"is cut short: its header has no end_header", name};
}

}  // namespace ringlet
