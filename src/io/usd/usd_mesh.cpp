// Meshes in USD, with the animation of their points and transforms.
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "io/mesh_format.h"
#include "io/obj/polygon.h"
#include "io/usd/usda_scene.h"
#include "math/finite.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

// Limit on the positions of all frames together (12 bytes each).
constexpr std::size_t kMostUsdPositions = 60'000'000;

// All meshes of a layer as one, and the point of the file that each vertex comes from.
struct UsdMeshes {
    Mesh mesh;
    std::vector<UsdPlacedPrim> prims;
    struct Source {
        std::uint32_t prim, point;
    };
    std::vector<Source> sources;  // per vertex
};

// The data of one prim.
struct UsdMeshData {
    std::vector<Vec3f> points;
    std::vector<std::int32_t> counts, indices;
    std::vector<float> uvs, colours;

    enum class Per { nothing, mesh, face, point, corner };
    // Returns the element of the mesh that an array with this number of values has one value for.
    // A number that fits no element is ignored: the shape does not depend on it.
    Per per(std::size_t values) const {
        if (values == 0) return Per::nothing;
        if (values == points.size()) return Per::point;
        if (values == indices.size()) return Per::corner;
        if (values == counts.size()) return Per::face;
        return values == 1 ? Per::mesh : Per::nothing;
    }
};

Result<UsdMeshData> read_mesh_data(const UsdPlacedPrim& placed, const std::string& file) {
    const UsdaPrim& prim = *placed.prim;
    UsdMeshData out;
    Result<std::vector<Vec3f>> points = usd_points(placed, {}, file);
    if (!points) return points.error();
    out.points = std::move(*points);
    if (const auto* const counts = prim.find("faceVertexCounts"))
        out.counts = value_at(*counts, {}).integers;
    if (const auto* const indices = prim.find("faceVertexIndices"))
        out.indices = value_at(*indices, {}).integers;
    const auto refuse = [&](const std::string& what) {
        return Error{placed.path_text() + " " + what, file, prim.line};
    };
    std::int64_t sum = 0;
    for (const std::int32_t n : out.counts) {
        if (n < 0) return refuse("has a face with a negative number of corners");
        sum += n;
    }
    if (sum != static_cast<std::int64_t>(out.indices.size()))
        return refuse("has " + std::to_string(out.indices.size()) +
                      " faceVertexIndices, but its faceVertexCounts add up to " +
                      std::to_string(sum));
    for (const std::int32_t k : out.indices)
        if (k < 0 || static_cast<std::size_t>(k) >= out.points.size())
            return refuse("has a face with the point " + std::to_string(k) + ", but " +
                          std::to_string(out.points.size()) + " points");
    for (const Vec3f p : out.points)
        if (!is_finite(p)) return refuse("has a point that is not finite");
    for (auto [name, components, to] :
         {std::tuple{"primvars:st", std::size_t{2}, &out.uvs},
          std::tuple{"primvars:displayColor", std::size_t{3}, &out.colours}}) {
        Result<std::vector<float>> values = usd_primvar(prim, name, components, file);
        if (!values) return values.error();
        *to = std::move(*values);
        for (float& value : *to)
            if (!std::isfinite(value)) value = 0;
    }
    return out;
}

// Appends the faces of a prim as triangles.
class UsdMeshBuilder {
public:
    UsdMeshBuilder(const UsdMeshData& data, const UsdPlacedPrim& placed, std::uint32_t number,
                   UsdMeshes& out)
        : data_(data), number_(number), out_(out) {
        uv_per_ = data.per(data.uvs.size() / 2);
        colour_per_ = data.per(data.colours.size() / 3);
        is_left_handed_ = placed.prim->word("orientation") == "leftHanded";
        if (colour_per_ == Per::mesh)
            constant_material_ = material_of(colour(0), placed.prim->name);
    }

    void add_faces() {
        std::size_t first = 0;
        for (std::size_t face = 0; face < data_.counts.size(); ++face) {
            const auto count = static_cast<std::size_t>(data_.counts[face]);
            if (count >= 3) add_face(face, first, count);
            first += count;
        }
    }

private:
    using Per = UsdMeshData::Per;

    Vec3f colour(std::size_t k) const {
        return {data_.colours[3 * k], data_.colours[3 * k + 1], data_.colours[3 * k + 2]};
    }

    std::int32_t material_of(Vec3f colour, const std::string& name) {
        std::vector<Material>& materials = out_.mesh.materials;
        for (std::size_t m = 0; m < materials.size(); ++m)
            if (materials[m].colour.x == colour.x && materials[m].colour.y == colour.y &&
                materials[m].colour.z == colour.z)
                return static_cast<std::int32_t>(m);
        constexpr std::size_t kMostMaterials = 256;
        if (materials.size() == kMostMaterials) return -1;
        Material made;
        made.name = name.empty() ? "colour_" + std::to_string(materials.size()) : name;
        made.colour = colour;
        materials.push_back(made);
        return static_cast<std::int32_t>(materials.size() - 1);
    }

    void add_face(std::size_t face, std::size_t first, std::size_t count) {
        std::vector<Vec3f> points;
        for (std::size_t k = 0; k < count; ++k)
            points.push_back(data_.points[static_cast<std::size_t>(data_.indices[first + k])]);
        std::vector<std::array<int, 3>> triangles;
        triangulate(points, triangles);
        const std::int32_t material =
            colour_per_ == Per::face ? material_of(colour(face), "") : constant_material_;
        for (auto& triangle : triangles) {
            if (is_left_handed_) std::swap(triangle[1], triangle[2]);
            for (const int k : triangle)
                out_.mesh.indices.push_back(vertex_of(first + static_cast<std::size_t>(k)));
            out_.mesh.triangle_material.push_back(material);
            out_.mesh.triangle_group.push_back(-1);
            out_.mesh.triangle_part.push_back(static_cast<std::int32_t>(number_));
        }
    }

    // The vertex of a corner. Corners of a point that have the same UV share one.
    std::uint32_t vertex_of(std::size_t corner) {
        const auto point = static_cast<std::uint32_t>(data_.indices[corner]);
        Vec2f uv{0, 0};
        if (uv_per_ == Per::point || uv_per_ == Per::corner) {
            const std::size_t k = uv_per_ == Per::point ? point : corner;
            uv = {data_.uvs[2 * k], data_.uvs[2 * k + 1]};
        }
        const auto key = std::tuple(point, std::bit_cast<std::uint32_t>(uv.x),
                                    std::bit_cast<std::uint32_t>(uv.y));
        const auto next = static_cast<std::uint32_t>(out_.mesh.positions.size());
        const auto [found, is_new] = vertices_.try_emplace(key, next);
        if (!is_new) return found->second;
        out_.mesh.positions.push_back(data_.points[point]);
        out_.mesh.uvs.push_back(uv);
        out_.sources.push_back({number_, point});
        const bool has_colour = colour_per_ == Per::point || colour_per_ == Per::corner;
        if (has_colour) {  // the vertices of earlier prims are white
            out_.mesh.colours.resize(next, Vec3f{1, 1, 1});
            out_.mesh.colours.push_back(colour(colour_per_ == Per::point ? point : corner));
        } else if (!out_.mesh.colours.empty()) {
            out_.mesh.colours.push_back({1, 1, 1});
        }
        return next;
    }

    const UsdMeshData& data_;
    std::uint32_t number_;
    UsdMeshes& out_;
    Per uv_per_, colour_per_;
    bool is_left_handed_ = false;
    std::int32_t constant_material_ = -1;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> vertices_;
};

// All times at which a mesh has samples.
std::set<double> times_of(const std::vector<UsdPlacedPrim>& prims) {
    std::set<double> out;
    for (const UsdPlacedPrim& placed : prims)
        for (const double time : placed.sample_times()) out.insert(time);
    return out;
}

Result<UsdMeshes> read_usd_meshes(const UsdaLayer& layer, const std::string& file) {
    UsdMeshes out;
    for (UsdPlacedPrim& placed : prims_of_type(layer, "Mesh")) {
        if (placed.prim->word("purpose") == "guide") continue;
        const Result<UsdMeshData> data = read_mesh_data(placed, file);
        if (!data) return data.error();
        const auto number = static_cast<std::uint32_t>(out.prims.size());
        UsdMeshBuilder(*data, placed, number, out).add_faces();
        out.mesh.parts.push_back(placed.prim->name);
        out.prims.push_back(std::move(placed));
    }
    if (out.mesh.indices.empty())
        return Error{"has no faces (prims of type Mesh); there is no mesh to read", file};
    if (out.prims.size() == 1) {
        out.mesh.parts.clear();
        out.mesh.triangle_part.clear();
    }
    out.mesh.normals.resize(out.mesh.positions.size());
    compute_smooth_normals(out.mesh);
    out.mesh.file_unit_metres = static_cast<float>(layer.metres_per_unit);
    if (layer.states_axis) out.mesh.file_up = layer.is_z_up ? Vec3f{0, 0, 1} : Vec3f{0, 1, 0};
    const std::set<double> times = times_of(out.prims);
    if (times.size() > 1)
        out.mesh.animations.push_back(
            {"animation",
             static_cast<float>((*times.rbegin() - *times.begin()) / layer.time_codes_per_second)});
    return out;
}

Result<Mesh> read_usd_mesh(const fs::path& path, const StopCheck& is_stopped) {
    const Result<UsdaLayer> layer = read_usd_layer(path, is_stopped);
    if (!layer) return layer.error();
    Result<UsdMeshes> meshes = read_usd_meshes(*layer, path.string());
    if (!meshes) return meshes.error();
    return std::move(meshes->mesh);
}

// One frame per time code from the first sample to the last.
Result<MeshFrames> read_usd_frames(const fs::path& path, const Mesh& mesh, std::size_t,
                                   const StopCheck& is_stopped) {
    const std::string file = path.string();
    const Result<UsdaLayer> layer = read_usd_layer(path, is_stopped);
    if (!layer) return layer.error();
    const Result<UsdMeshes> meshes = read_usd_meshes(*layer, file);
    if (!meshes) return meshes.error();
    const std::vector<UsdMeshes::Source>& sources = meshes->sources;
    if (sources.size() != mesh.positions.size())
        return Error{"has changed while it was read; try again", file};
    const std::set<double> times = times_of(meshes->prims);
    if (times.empty()) return MeshFrames{};
    const double first = *times.begin(), length = std::floor(*times.rbegin() - first + 1e-6);
    if (!(length * static_cast<double>(sources.size()) < static_cast<double>(kMostUsdPositions)))
        return Error{"has too many frames for memory; export fewer", file};
    MeshFrames out;
    out.fps = static_cast<float>(layer->time_codes_per_second);
    for (int frame = 0; frame <= static_cast<int>(length); ++frame) {
        if (is_stopped && is_stopped()) return Error{"stopped", file};
        std::vector<std::vector<Vec3f>> points;
        for (const UsdPlacedPrim& placed : meshes->prims) {
            Result<std::vector<Vec3f>> now = usd_points(placed, first + frame, file);
            if (!now) return now.error();
            points.push_back(std::move(*now));
        }
        std::vector<Vec3f>& positions = out.frames.emplace_back();
        positions.reserve(sources.size());
        for (const auto& [prim, point] : sources) {
            if (point >= points[prim].size() || !is_finite(points[prim][point]))
                return Error{meshes->prims[prim].path_text() +
                                 " has too few points, or one that is "
                                 "not finite, at time code " +
                                 std::to_string(first + frame),
                             file, meshes->prims[prim].prim->line};
            positions.push_back(points[prim][point]);
        }
    }
    return out;
}

}  // namespace

extern const MeshFormat kMeshFormatUsda, kMeshFormatUsdc;
constinit const MeshFormat kMeshFormatUsda{
    .name = "USD, text",
    .extension = ".usda",
    .description = "polygons with UVs and colours, moving and deforming, with unit and axes",
    .read = read_usd_mesh,
    .read_frames = read_usd_frames,
};
constinit const MeshFormat kMeshFormatUsdc{
    .name = "USD, binary",
    .extension = ".usdc",
    .description = "the same; needs OpenUSD's Python package",
    .read = read_usd_mesh,
    .read_frames = read_usd_frames,
};

}  // namespace ringlet
