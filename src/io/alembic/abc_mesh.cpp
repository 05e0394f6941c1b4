#include "io/alembic/abc_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "io/alembic/abc_scene.h"
#include "io/mesh/triangle_soup.h"
#include "io/obj/polygon.h"
#include "math/finite.h"

namespace ringlet {

namespace {

// Limit on the positions of all frames together (12 bytes each).
constexpr int kMostAbcPositions = 60'000'000;

// The meshes of a scene as triangles. Vertices are split where UVs differ.
struct AbcTriangles {
    TriangleSoup soup;
    std::vector<std::uint32_t> source;  // of each vertex: its number among all points of the file
    std::vector<std::size_t> shapes;    // the meshes that were read
    std::size_t points = 0;
};

// The texture coordinates of the corners of a face, in the scope in which the file has them.
class CornerUvs {
public:
    CornerUvs(AbcValues values, std::size_t points, std::size_t corners)
        : values_(std::move(values)) {
        const bool is_pair = values_.extent == 2 && !values_.values.empty();
        is_per_corner_ = is_pair && values_.count() == corners && values_.scope != "vtx";
        is_per_point_ = is_pair && !is_per_corner_ && values_.count() == points;
    }
    bool has_any() const { return is_per_corner_ || is_per_point_; }
    Vec2f at(std::size_t point, std::size_t corner) const {
        if (!has_any()) return {0, 0};
        const float* const uv = &values_.values[2 * (is_per_corner_ ? corner : point)];
        return std::isfinite(uv[0]) && std::isfinite(uv[1]) ? Vec2f{uv[0], uv[1]} : Vec2f{0, 0};
    }

private:
    AbcValues values_;
    bool is_per_corner_ = false, is_per_point_ = false;
};

// Vertices that have been split so far, by point and UV.
class SplitVertices {
public:
    std::uint32_t vertex(std::uint32_t point, Vec3f position, Vec2f uv, AbcTriangles& out) {
        const Key key{point, std::bit_cast<std::uint32_t>(uv.x),
                      std::bit_cast<std::uint32_t>(uv.y)};
        const auto [found, is_new] =
            known_.try_emplace(key, static_cast<std::uint32_t>(out.source.size()));
        if (is_new) {
            out.source.push_back(point);
            out.soup.positions.push_back(position);
            out.soup.uvs.push_back(uv);
        }
        return found->second;
    }

private:
    struct Key {
        std::uint32_t point, u, v;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            std::uint64_t hash = key.point;
            for (const std::uint32_t word : {key.u, key.v})
                hash = (hash ^ hash >> 29) * 0x9e3779b97f4a7c15 + word;
            return static_cast<std::size_t>(hash ^ hash >> 32);
        }
    };
    std::unordered_map<Key, std::uint32_t, KeyHash> known_;
};

// Alembic's faces are clockwise seen from outside, Ringlet's counter-clockwise.
Result<void> add_faces(AbcScene& scene, const std::vector<Vec3f>& points,
                       const std::vector<std::int32_t>& counts,
                       const std::vector<std::int32_t>& indices, const CornerUvs& uvs,
                       AbcTriangles& out) {
    SplitVertices split;
    std::size_t at = 0;
    std::vector<std::uint32_t> corners;
    std::vector<Vec3f> positions;
    std::vector<std::array<int, 3>> triangles;
    for (const std::int32_t count : counts) {
        if (count < 0 || static_cast<std::size_t>(count) > indices.size() - at)
            return scene.damaged("a face of a mesh is larger than its list of indices");
        corners.clear();
        positions.clear();
        triangles.clear();
        const std::size_t end = at + static_cast<std::size_t>(count);
        for (std::size_t c = end; c-- > at;) {
            const std::int32_t index = indices[c];
            if (index < 0 || static_cast<std::size_t>(index) >= points.size())
                return scene.damaged("a face refers to a point that does not exist");
            const auto point = static_cast<std::size_t>(index);
            positions.push_back(points[point]);
            corners.push_back(split.vertex(static_cast<std::uint32_t>(out.points + point),
                                           points[point], uvs.at(point, c), out));
        }
        at = end;
        if (count < 3) continue;
        triangulate(positions, triangles);
        for (const auto& triangle : triangles) {
            for (const int k : triangle)
                out.soup.indices.push_back(corners[static_cast<std::size_t>(k)]);
            out.soup.triangle_part.push_back(static_cast<std::int32_t>(out.soup.parts.size()) - 1);
        }
    }
    return {};
}

Result<void> add_mesh(AbcScene& scene, const AbcShape& shape, double time, AbcTriangles& out) {
    const Result<std::vector<Vec3f>> points = scene.points(shape, time);
    const Result<std::vector<std::int32_t>> counts = scene.integers(shape, ".faceCounts", time);
    const Result<std::vector<std::int32_t>> indices = scene.integers(shape, ".faceIndices", time);
    Result<AbcValues> uv = scene.values(shape, "uv", time);
    if (!points) return points.error();
    if (!counts) return counts.error();
    if (!indices) return indices.error();
    if (!uv) return uv.error();
    for (const Vec3f p : *points)
        if (!is_finite(p)) return scene.damaged("a coordinate of a mesh is not a finite number");
    // A damaged file may refer to the same points again and again.
    if (out.points + points->size() > 0x7fffffff ||
        12 * (out.points + points->size()) > 8 * scene.file_bytes())
        return Error{"has more points than are supported", scene.name()};
    const CornerUvs uvs(std::move(*uv), points->size(), indices->size());
    // The transform above a mesh carries the name that the user chose.
    const std::string above = shape.path.substr(shape.path.rfind('/') + 1);
    out.soup.parts.push_back(above.empty() ? shape.name : above);
    if (Result<void> done = add_faces(scene, *points, *counts, *indices, uvs, out); !done)
        return done;
    out.points += points->size();
    return {};
}

Result<AbcTriangles> triangles_of(AbcScene& scene, const StopCheck& is_stopped) {
    if (scene.meshes().empty())
        return Error{scene.curves().empty() ? "has neither meshes nor curves"
                                            : "has curves but no mesh; curves are read by "
                                              "groom.file",
                     scene.name()};
    AbcTriangles out;
    const bool all_hidden = std::ranges::all_of(scene.meshes(), &AbcShape::is_hidden);
    const double time = scene.time_range(scene.meshes()).start;
    for (std::size_t k = 0; k < scene.meshes().size(); ++k) {
        if (is_stopped && is_stopped()) return Error{"stopped", scene.name()};
        const AbcShape& shape = scene.meshes()[k];
        if (shape.is_hidden && !all_hidden) continue;
        out.shapes.push_back(k);
        if (Result<void> done = add_mesh(scene, shape, time, out); !done) return done.error();
    }
    return out;
}

Result<Mesh> mesh_in(Result<AbcScene> scene, const StopCheck& is_stopped) {
    if (!scene) return scene.error();
    Result<AbcTriangles> triangles = triangles_of(*scene, is_stopped);
    if (!triangles) return triangles.error();
    Result<Mesh> mesh = mesh_of(std::move(triangles->soup), scene->name());
    if (!mesh) return mesh;
    const AbcTimeRange range = scene->time_range(scene->meshes());
    if (range.is_animated())
        mesh->animations.push_back({"animation", static_cast<float>(range.end - range.start)});
    return mesh;
}

Result<std::vector<Vec3f>> frame_at(AbcScene& scene, const AbcTriangles& triangles,
                                    const std::vector<std::uint32_t>& kept, double time) {
    std::vector<Vec3f> points;
    points.reserve(triangles.points);
    for (const std::size_t k : triangles.shapes) {
        const Result<std::vector<Vec3f>> part = scene.points(scene.meshes()[k], time);
        if (!part) return part.error();
        points.insert(points.end(), part->begin(), part->end());
        if (points.size() > triangles.points) break;
    }
    if (points.size() != triangles.points)
        return Error{"its meshes change their number of points over time, which is not supported",
                     scene.name()};
    std::vector<Vec3f> out;
    out.reserve(kept.size());
    for (const std::uint32_t vertex : kept) {
        const Vec3f p = points[triangles.source[vertex]];
        if (!is_finite(p)) return scene.damaged("a coordinate of a mesh is not a finite number");
        out.push_back(p);
    }
    return out;
}

}  // namespace

Result<Mesh> read_abc_mesh(const std::filesystem::path& path, const StopCheck& is_stopped) {
    return mesh_in(AbcScene::open(path), is_stopped);
}

Result<Mesh> parse_abc_mesh(std::string_view bytes, const std::string& name) {
    return mesh_in(AbcScene::over(bytes, name), {});
}

Result<MeshFrames> read_abc_frames(const std::filesystem::path& path, const Mesh& mesh, std::size_t,
                                   const StopCheck& is_stopped) {
    Result<AbcScene> scene = AbcScene::open(path);
    if (!scene) return scene.error();
    Result<AbcTriangles> triangles = triangles_of(*scene, is_stopped);
    if (!triangles) return triangles.error();
    std::vector<std::uint32_t> kept;
    const Result<Mesh> at_rest = mesh_of(std::move(triangles->soup), path, &kept);
    if (!at_rest) return at_rest.error();
    if (kept.size() != mesh.positions.size())
        return Error{"its mesh has changed since it was read", path.string()};
    const AbcTimeRange range = scene->time_range(scene->meshes());
    MeshFrames out;
    if (!range.is_animated()) return out;
    const double count = std::round((range.end - range.start) / range.step) + 1;
    if (count > 1e6 || count * static_cast<double>(kept.size()) > double{kMostAbcPositions})
        return Error{"its animation has more than " + std::to_string(kMostAbcPositions) +
                         " positions; export a part of it, or a coarser mesh",
                     path.string()};
    out.fps = static_cast<float>(1 / range.step);
    for (int k = 0; k < static_cast<int>(count); ++k) {
        if (is_stopped && is_stopped()) return Error{"stopped", path.string()};
        Result<std::vector<Vec3f>> frame =
            frame_at(*scene, *triangles, kept, range.start + k * range.step);
        if (!frame) return frame.error();
        out.frames.push_back(std::move(*frame));
    }
    return out;
}

extern const MeshFormat kMeshFormatAbc;
constinit const MeshFormat kMeshFormatAbc{
    .name = "Alembic",
    .extension = ".abc",
    .description = "polygon meshes with UVs, transforms and animation",
    .read = read_abc_mesh,
    .read_frames = read_abc_frames,
};

}  // namespace ringlet
