#include "io/polyline/ply_file.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/files.h"
#include "io/bytes.h"
#include "io/groom_format.h"
#include "io/polyline/ply_body.h"
#include "io/polyline/polylines.h"
#include "io/strand_checks.h"
#include "io/text.h"

namespace ringlet {

namespace {

PlyError read_strand_vertices(PlyBody& body, const PlyElement& element, Polylines& out) {
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
    return read_items(body, element, no_item, [&](const std::vector<double>& row) -> PlyError {
        const auto number = [&](std::size_t p) { return to_float(row[p]); };
        const auto channel = [&](std::size_t p) {
            return to_linear(row[p], element.properties[p].type);
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

PlyError vertex_out_of_range(const PlyElement& element, double index, const Polylines& lines) {
    if (index >= 0 && index < lines.vertex_total() && index == std::floor(index))
        return std::nullopt;
    return element.name + " refers to a vertex that is not one of the " +
           std::to_string(lines.vertex_total()) + " before it";
}

PlyError read_edges(PlyBody& body, const PlyElement& element, Polylines& lines) {
    const auto ends = find_three(element, {"vertex1", "vertex2", "vertex2"});
    if (!ends) return "its edges have no vertex1 and vertex2";
    EdgeGraph graph(lines.vertex_total());
    PlyError error =
        read_items(body, element, no_item, [&](const std::vector<double>& row) -> PlyError {
            const double a = row[(*ends)[0]], b = row[(*ends)[1]];
            for (const double index : {a, b})
                if (PlyError bad = vertex_out_of_range(element, index, lines)) return bad;
            return graph.add(static_cast<int>(a), static_cast<int>(b));
        });
    return error ? error : graph.trace(lines);
}

PlyError read_strand_indices(PlyBody& body, const PlyElement& element, Polylines& lines) {
    const int indices = std::max(element.find("vertex_indices"), element.find("vertex_index"));
    if (indices < 0 || !element.properties[static_cast<std::size_t>(indices)].count_type)
        return "its element " + in_quotes(element.name) + " has no list vertex_indices";
    const auto item = [&](std::size_t property, double index) -> PlyError {
        if (property != static_cast<std::size_t>(indices)) return std::nullopt;
        if (PlyError bad = vertex_out_of_range(element, index, lines)) return bad;
        lines.vertices.push_back(static_cast<int>(index));
        return std::nullopt;
    };
    return read_items(body, element, item, [&](const std::vector<double>& row) -> PlyError {
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

    PlyBody body(bytes, *header);
    Polylines lines;
    bool any_vertices = false;
    for (const PlyElement& element : header->elements) {
        PlyError error;
        if (element.name == "vertex" && !any_vertices) {
            error = read_strand_vertices(body, element, lines);
            any_vertices = true;
        } else if (&element == strands) {
            if (!any_vertices) return Error{"has its strands before its vertices", name};
            error = element.name == "edge" ? read_edges(body, element, lines)
                                           : read_strand_indices(body, element, lines);
        } else {
            error = read_items(body, element, no_item, no_row);
        }
        if (error) return Error{*error, name};
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
