#include "io/polyline/ply_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "base/files.h"
#include "io/bytes.h"
#include "io/groom_format.h"
#include "io/polyline/ply_header.h"
#include "io/polyline/polylines.h"
#include "io/srgb.h"
#include "io/strand_checks.h"
#include "io/text.h"

namespace ringlet {

namespace {

// Reads the numbers after the header one by one.
class NumberReader {
public:
    NumberReader(std::string_view bytes, bool ascii) : rest_(bytes), ascii_(ascii) {}

    // Nothing at the end of the file, or if the next word of an ASCII file is not a number.
    std::optional<double> next(PlyType type) {
        return ascii_ ? next_word_value() : next_bytes(type);
    }

    // Whether the file is long enough for the element: checked before anything is allocated.
    bool can_hold(const PlyElement& element) const {
        std::uint64_t least = 0;
        for (const PlyProperty& p : element.properties)
            least += ascii_ ? 2 : byte_size(p.count_type.value_or(p.type));
        return element.count <= (rest_.size() + ascii_) / least;  // the last may lack a line end
    }

private:
    std::optional<double> next_bytes(PlyType type) {
        const std::size_t size = byte_size(type);
        if (rest_.size() < size) return std::nullopt;
        const std::string_view bytes = rest_.substr(0, size);
        rest_.remove_prefix(size);
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

    std::optional<double> next_word_value() {
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

    std::string_view rest_;
    bool ascii_;
};

// An error message, or nothing.
using Wrong = std::optional<std::string>;

// Reads all instances of an element. For each instance, calls item(p, value) for every item of a
// list property p, then row(scalars), where scalars[p] is the value of property p, or its length if
// it is a list.
template <class Item, class Row>
Wrong read_items(NumberReader& body, const PlyElement& element, const Item& item, const Row& row) {
    const auto cut = [&](std::uint64_t i) {
        return "is cut short or damaged at " + in_quotes(element.name) + " " + std::to_string(i) +
               " of " + std::to_string(element.count) + " (counted from 0)";
    };
    if (!body.can_hold(element)) return cut(0);
    std::vector<double> scalars(element.properties.size());
    for (std::uint64_t i = 0; i < element.count; ++i) {
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            const PlyProperty& property = element.properties[p];
            const auto value = body.next(property.count_type.value_or(property.type));
            if (!value) return cut(i);
            scalars[p] = *value;
            if (!property.count_type) continue;
            if (!(*value >= 0)) return cut(i);
            // Every item takes at least a byte, so a wrong length ends with the file.
            for (double k = 0; k < *value; ++k) {
                const auto one = body.next(property.type);
                if (!one) return cut(i);
                if (Wrong wrong = item(p, *one)) return wrong;
            }
        }
        if (Wrong wrong = row(scalars)) return wrong;
    }
    return std::nullopt;
}

Wrong no_item(std::size_t, double) { return std::nullopt; }
Wrong no_row(const std::vector<double>&) { return std::nullopt; }

// Out of the range of float the conversion would be undefined behaviour.
float to_float(double value) {
    if (std::abs(value) <= double{std::numeric_limits<float>::max()})
        return static_cast<float>(value);
    return std::numeric_limits<float>::quiet_NaN();
}

// The indices of three scalar properties; nothing unless the element has all of them.
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

Wrong read_vertices(NumberReader& body, const PlyElement& element, Polylines& out) {
    const auto xyz = find_three(element, {"x", "y", "z"});
    const auto rgb = find_three(element, {"red", "green", "blue"});
    const int radius = element.find("radius");
    if (!xyz) return "its vertices have no x, y and z";
    if (!body.can_hold(element) || element.count > std::uint64_t{std::numeric_limits<int>::max()})
        return "is cut short: its header states " + std::to_string(element.count) + " vertices";
    const auto count = static_cast<std::size_t>(element.count);
    const bool has_radius =
        radius >= 0 && !element.properties[static_cast<std::size_t>(radius)].count_type;
    out.position.reserve(count);
    if (rgb) out.colour.reserve(count);
    if (has_radius) out.radius.reserve(count);
    return read_items(body, element, no_item, [&](const std::vector<double>& row) -> Wrong {
        const auto number = [&](std::size_t p) { return to_float(row[p]); };
        const auto channel = [&](std::size_t p) {
            return element.properties[p].type == PlyType::kUint8
                       ? linear_from_srgb(std::clamp(row[p] / 255, 0.0, 1.0))
                       : to_float(row[p]);
        };
        out.position.push_back({number((*xyz)[0]), number((*xyz)[1]), number((*xyz)[2])});
        if (rgb) out.colour.push_back({channel((*rgb)[0]), channel((*rgb)[1]), channel((*rgb)[2])});
        if (has_radius) {
            const float r = number(static_cast<std::size_t>(radius));
            out.radius.push_back(r < 0 ? 0 : r);
        }
        return std::nullopt;
    });
}

Wrong vertex_out_of_range(const PlyElement& element, double index, const Polylines& lines) {
    if (index >= 0 && index < lines.vertex_total() && index == std::floor(index))
        return std::nullopt;
    return element.name + " refers to a vertex that is not one of the " +
           std::to_string(lines.vertex_total()) + " before it";
}

Wrong read_edges(NumberReader& body, const PlyElement& element, Polylines& lines) {
    const auto ends = find_three(element, {"vertex1", "vertex2", "vertex2"});
    if (!ends) return "its edges have no vertex1 and vertex2";
    EdgeGraph graph(lines.vertex_total());
    Wrong wrong = read_items(body, element, no_item, [&](const std::vector<double>& row) -> Wrong {
        const double a = row[(*ends)[0]], b = row[(*ends)[1]];
        for (const double index : {a, b})
            if (Wrong bad = vertex_out_of_range(element, index, lines)) return bad;
        return graph.add(static_cast<int>(a), static_cast<int>(b));
    });
    return wrong ? wrong : graph.trace(lines);
}

Wrong read_lists(NumberReader& body, const PlyElement& element, Polylines& lines) {
    const int indices = std::max(element.find("vertex_indices"), element.find("vertex_index"));
    if (indices < 0 || !element.properties[static_cast<std::size_t>(indices)].count_type)
        return "its element " + in_quotes(element.name) + " has no list vertex_indices";
    const auto item = [&](std::size_t property, double index) -> Wrong {
        if (property != static_cast<std::size_t>(indices)) return std::nullopt;
        if (Wrong bad = vertex_out_of_range(element, index, lines)) return bad;
        lines.vertices.push_back(static_cast<int>(index));
        return std::nullopt;
    };
    return read_items(body, element, item, [&](const std::vector<double>& row) -> Wrong {
        if (row[static_cast<std::size_t>(indices)] < 1)
            return "a " + element.name + " has no vertices";
        lines.end_strand();
        return std::nullopt;
    });
}

// The element that defines the strands; null if there is none.
const PlyElement* strand_element(const PlyHeader& header) {
    for (const std::string_view name : {"edge", "strand", "curve"}) {
        const auto found = std::ranges::find(header.elements, name, &PlyElement::name);
        if (found != header.elements.end()) return &*found;
    }
    return nullptr;
}

std::string header_text(std::int64_t vertices, std::int64_t edges, bool colour, bool radius) {
    std::string out = "ply\nformat binary_little_endian 1.0\nelement vertex ";
    out += std::to_string(vertices) + "\nproperty float x\nproperty float y\nproperty float z\n";
    if (colour) out += "property float red\nproperty float green\nproperty float blue\n";
    if (radius) out += "property float radius\n";
    return out + "element edge " + std::to_string(edges) +
           "\nproperty int vertex1\nproperty int vertex2\nend_header\n";
}

}  // namespace

Result<StrandSet> parse_ply(std::string_view bytes, const std::string& name) {
    const Result<PlyHeader> header = parse_ply_header(bytes, name);
    if (!header) return header.error();
    const PlyElement* const strands = strand_element(*header);
    if (!strands)
        return Error{
            "has neither edges (element edge) nor strands (element strand or curve); meshes are "
            "read by groom.mesh",
            name};

    NumberReader body(bytes.substr(header->body_at), header->ascii);
    Polylines lines;
    bool any_vertices = false;
    for (const PlyElement& element : header->elements) {
        Wrong wrong;
        if (element.name == "vertex" && !any_vertices) {
            wrong = read_vertices(body, element, lines);
            any_vertices = true;
        } else if (&element == strands) {
            if (!any_vertices) return Error{"has its strands before its vertices", name};
            wrong = element.name == "edge" ? read_edges(body, element, lines)
                                           : read_lists(body, element, lines);
        } else {
            wrong = read_items(body, element, no_item, no_row);
        }
        if (wrong) return Error{*wrong, name};
        // Elements after the strands are ignored.
        if (&element == strands) break;
    }
    return strands_of(lines, name);
}

Result<StrandSet> read_ply(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    return parse_ply(*bytes, path.string());
}

std::string format_ply(const StrandView& strands) {
    const std::int64_t vertices = strands.layout ? strands.layout->vertex_total() : 0;
    const std::int64_t edges = vertices - strand_count(strands);
    const bool colour = has_colour(strands), radius = has_radius(strands);
    std::string out = header_text(vertices, edges, colour, radius);
    out.reserve(out.size() + static_cast<std::size_t>(vertices * (12 + 12 * colour + 4 * radius)) +
                static_cast<std::size_t>(edges * 8));
    for_each_vertex(strands, [&](int s, int i) {
        append_vec3(out, strands.position->vec3(s, i));
        if (colour) append_vec3(out, strands.colour->vec3(s, i));
        if (radius) append_f32(out, strands.radius->at(s, i));
    });
    std::uint32_t number = 0;
    for_each_vertex(strands, [&](int, int i) {
        if (i > 0) {
            append_u32(out, number - 1);
            append_u32(out, number);
        }
        ++number;
    });
    return out;
}

Result<void> write_ply(const std::filesystem::path& path, const StrandView& strands) {
    return write_file(path, format_ply(strands));
}

extern const GroomFormat kGroomFormatPly;
constinit const GroomFormat kGroomFormatPly{
    .name = "PLY",
    .extension = ".ply",
    .description = "vertices connected by edges, with colour and radius",
    .stores = kStoresColour | kStoresRadius,
    .read = read_ply,
    .write = [](const std::filesystem::path& path, const StrandView& strands,
                const GroomExtras&) { return write_ply(path, strands); },
};

}  // namespace ringlet
