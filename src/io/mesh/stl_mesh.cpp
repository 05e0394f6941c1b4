// STL files, text and binary. The normals of the file are those of flat triangles, so the mesh gets
// smooth ones.
#include <algorithm>

#include "base/files.h"
#include "base/lower_case.h"
#include "io/bytes.h"
#include "io/mesh/triangle_soup.h"
#include "io/mesh_format.h"
#include "io/text.h"

namespace ringlet {

namespace {

// A binary file: 80 bytes of any text, the number of triangles, then for each a normal, three
// corners and two bytes that programs use in different ways.
constexpr std::size_t kStlHeaderBytes = 84, kTriangleBytes = 50;

bool is_text(std::string_view bytes) {
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    return start != bytes.npos && lower_case(bytes.substr(start, 5)) == "solid" &&
           lower_case(bytes.substr(start, 2048)).find("facet") != std::string::npos;
}

Result<TriangleSoup> parse_binary(std::string_view bytes, const std::string& name) {
    if (bytes.size() < kStlHeaderBytes)
        return Error{
            "is not an STL file or has no triangles: it has neither \"facet\" nor a header", name};
    const std::uint32_t count = u32_at(bytes, 80);
    const std::size_t held = (bytes.size() - kStlHeaderBytes) / kTriangleBytes;
    if (count > held)
        return Error{"is cut short: its header states " + std::to_string(count) +
                         " triangles, and it has " + std::to_string(held),
                     name};
    TriangleSoup out;
    out.positions.reserve(std::size_t{count} * 3);
    for (std::size_t t = 0; t < count; ++t)
        for (std::size_t k = 0; k < 3; ++k)
            out.positions.push_back(
                vec3_at(bytes, kStlHeaderBytes + t * kTriangleBytes + 12 * (k + 1)));
    return out;
}

// Each solid is a part.
Result<TriangleSoup> parse_text(std::string_view bytes, const std::string& name) {
    TriangleSoup out;
    Lines lines(bytes);
    std::size_t corners = 0;  // of the current loop
    while (lines.next()) {
        std::string_view rest = lines.line;
        const std::string keyword = lower_case(next_word(rest));
        if (keyword == "solid") {
            out.parts.emplace_back(trimmed(rest));
        } else if (keyword == "vertex") {
            float xyz[3];
            for (float& x : xyz) {
                const std::string_view word = next_word(rest);
                const std::optional<float> value = finite_float(word);
                if (!value)
                    return Error{in_quotes(word) + " where a coordinate is needed", name,
                                 lines.number};
                x = *value;
            }
            out.positions.push_back({xyz[0], xyz[1], xyz[2]});
            ++corners;
        } else if (keyword == "endloop") {
            if (corners != 3)
                return Error{"a facet has " + std::to_string(corners) + " vertices instead of 3",
                             name, lines.number};
            corners = 0;
            if (out.parts.empty()) out.parts.emplace_back();  // a facet before the first solid
            out.triangle_part.push_back(static_cast<std::int32_t>(out.parts.size()) - 1);
        }
    }
    if (corners != 0) return Error{"is cut short within a facet", name, lines.number};
    return out;
}

Result<Mesh> read_stl(const std::filesystem::path& path, const StopCheck&) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    // Binary files may begin with "solid" as well, but then their size fits their count.
    const bool fits = bytes->size() >= kStlHeaderBytes &&
                      bytes->size() == kStlHeaderBytes + kTriangleBytes * u32_at(*bytes, 80);
    Result<TriangleSoup> soup = !fits && is_text(*bytes) ? parse_text(*bytes, path.string())
                                                         : parse_binary(*bytes, path.string());
    if (!soup) return soup.error();
    soup->merges_positions = true;
    for (std::uint32_t k = 0; k < soup->positions.size(); ++k) soup->indices.push_back(k);
    return mesh_of(std::move(*soup), path);
}

}  // namespace

extern const MeshFormat kMeshFormatStl;
constinit const MeshFormat kMeshFormatStl{
    .name = "STL",
    .extension = ".stl",
    .description = "triangles alone",
    .read = read_stl,
};

}  // namespace ringlet
