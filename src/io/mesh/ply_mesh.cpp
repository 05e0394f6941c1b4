// Meshes in PLY files: polygons or triangle strips, with normals, vertex colours and texture
// coordinates per vertex.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/files.h"
#include "io/mesh/triangle_soup.h"
#include "io/mesh_format.h"
#include "io/obj/polygon.h"
#include "io/polyline/ply_body.h"

namespace ringlet {

namespace {

constexpr std::uint64_t kMostVertices = 0xfffffffeu;

// The indices of two scalar properties; the first pair of names that the element has.
std::optional<std::array<std::size_t, 2>> find_uv(const PlyElement& element) {
    constexpr std::array<std::array<const char*, 2>, 3> kNames{
        {{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}}};
    for (const auto& [u, v] : kNames)
        if (const auto found = find_three(element, {u, v, v})) return {{(*found)[0], (*found)[1]}};
    return std::nullopt;
}

PlyError read_mesh_vertices(PlyBody& body, const PlyElement& element, TriangleSoup& out) {
    const auto xyz = find_three(element, {"x", "y", "z"});
    const auto normal = find_three(element, {"nx", "ny", "nz"});
    auto rgb = find_three(element, {"red", "green", "blue"});
    if (!rgb) rgb = find_three(element, {"diffuse_red", "diffuse_green", "diffuse_blue"});
    const auto uv = find_uv(element);
    if (!xyz) return "its vertices have no x, y and z";
    if (!body.can_hold(element) || element.count > kMostVertices)
        return "is cut short: its header states " + std::to_string(element.count) + " vertices";
    out.positions.reserve(static_cast<std::size_t>(element.count));
    return read_items(body, element, no_item, [&](const std::vector<double>& row) -> PlyError {
        const auto vec3 = [&](const std::array<std::size_t, 3>& p) {
            return Vec3f{to_float(row[p[0]]), to_float(row[p[1]]), to_float(row[p[2]])};
        };
        const auto channel = [&](std::size_t p) {
            const float value = to_linear(row[p], element.properties[p].type);
            return value >= 0 ? std::min(value, 1.0f) : 0.0f;  // NaN too
        };
        const auto finite = [&](std::size_t p) {
            const float value = to_float(row[p]);
            return std::isfinite(value) ? value : 0.0f;
        };
        out.positions.push_back(vec3(*xyz));
        if (normal) out.normals.push_back(vec3(*normal));
        if (rgb)
            out.colours.push_back({channel((*rgb)[0]), channel((*rgb)[1]), channel((*rgb)[2])});
        if (uv) out.uvs.push_back({finite((*uv)[0]), finite((*uv)[1])});
        return std::nullopt;
    });
}

void add_polygon(const std::vector<std::uint32_t>& corners, TriangleSoup& out) {
    if (corners.size() < 3) return;
    std::vector<Vec3f> points;
    for (const std::uint32_t k : corners) points.push_back(out.positions[k]);
    std::vector<std::array<int, 3>> triangles;
    triangulate(points, triangles);
    for (const auto& triangle : triangles)
        for (const int k : triangle) out.indices.push_back(corners[static_cast<std::size_t>(k)]);
}

// Every second triangle of a strip is wound the other way around.
void add_strip(const std::vector<std::uint32_t>& corners, TriangleSoup& out) {
    for (std::size_t k = 2; k < corners.size(); ++k) {
        const bool is_odd = k % 2 == 1;
        out.indices.insert(out.indices.end(), {corners[is_odd ? k - 1 : k - 2],
                                               corners[is_odd ? k - 2 : k - 1], corners[k]});
    }
}

// Lists of vertices: one polygon each, or triangle strips that -1 separates.
PlyError read_faces(PlyBody& body, const PlyElement& element, bool are_strips, TriangleSoup& out) {
    const int indices = std::max(element.find("vertex_indices"), element.find("vertex_index"));
    if (indices < 0 || !element.properties[static_cast<std::size_t>(indices)].count_type)
        return "its faces have no list vertex_indices";
    std::vector<std::uint32_t> corners;
    const auto item = [&](std::size_t property, double index) -> PlyError {
        if (property != static_cast<std::size_t>(indices)) return std::nullopt;
        if (are_strips && index == -1) {
            add_strip(corners, out);
            corners.clear();
            return std::nullopt;
        }
        if (!(index >= 0 && index < static_cast<double>(out.positions.size())) ||
            index != std::floor(index))
            return "a face refers to a vertex that is not one of the " +
                   std::to_string(out.positions.size()) + " before it";
        corners.push_back(static_cast<std::uint32_t>(index));
        return std::nullopt;
    };
    return read_items(body, element, item, [&](const std::vector<double>&) -> PlyError {
        are_strips ? add_strip(corners, out) : add_polygon(corners, out);
        corners.clear();
        return std::nullopt;
    });
}

Result<Mesh> read_ply_mesh(const std::filesystem::path& path, const StopCheck&) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    const Result<PlyHeader> header = parse_ply_header(*bytes, path.string());
    if (!header) return header.error();
    PlyBody body(*bytes, *header);
    TriangleSoup soup;
    for (const PlyElement& element : header->elements) {
        PlyError error;
        if (element.name == "vertex" && soup.positions.empty())
            error = read_mesh_vertices(body, element, soup);
        else if (element.name == "face" || element.name == "tristrips")
            error = read_faces(body, element, element.name == "tristrips", soup);
        else
            error = read_items(body, element, no_item, no_row);
        if (error) return Error{*error, path.string()};
    }
    return mesh_of(std::move(soup), path);
}

}  // namespace

extern const MeshFormat kMeshFormatPly;
constinit const MeshFormat kMeshFormatPly{
    .name = "PLY",
    .extension = ".ply",
    .description = "polygons with normals and vertex colours",
    .read = read_ply_mesh,
};

}  // namespace ringlet
