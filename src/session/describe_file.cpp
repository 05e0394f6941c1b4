// `ringlet info`: describes a mesh or groom file as text or JSON.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "base/hash.h"
#include "geom/bvh.h"
#include "io/groom_file.h"
#include "io/mesh_format.h"
#include "math/elementary.h"
#include "math/finite.h"
#include "ringlet/jobs.h"
#include "scene/read_scene.h"
#include "session/assets/head_source.h"
#include "session/assets/import_placement.h"
#include "session/boundary.h"
#include "session/json_text.h"

namespace ringlet {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(Vec3f a) { return Json::array({a.x, a.y, a.z}); }

// Differences and products of coordinates in double precision: those of coordinates beyond 1e19
// overflow in float.
struct Double3 {
    double x, y, z;

    static Double3 between(Vec3f a, Vec3f b) {
        return {double{b.x} - double{a.x}, double{b.y} - double{a.y}, double{b.z} - double{a.z}};
    }
    double length() const { return std::hypot(x, y, z); }
    double dot(const Double3& b) const { return x * b.x + y * b.y + z * b.z; }
    Double3 cross(const Double3& b) const {
        return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x};
    }
};

struct Defects {
    std::int64_t open_edges = 0;         // of one triangle only
    std::int64_t branching_edges = 0;    // of more than two triangles
    std::int64_t doubled_triangles = 0;  // triangles that repeat another, in either winding
};

// Vertices are compared by position, so UV seams do not count as open. A doubled triangle counts
// once for its edges.
Defects defects_of(const Mesh& mesh) {
    const auto less = [](Vec3f a, Vec3f b) {
        return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
    };
    std::map<Vec3f, int, decltype(less)> ids(less);
    std::set<std::array<int, 3>> seen;
    std::map<std::pair<int, int>, int> uses;
    Defects out;
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        std::array<int, 3> id{};
        for (int k = 0; k < 3; ++k)
            id[static_cast<std::size_t>(k)] =
                ids.try_emplace(mesh.corner(t, k), static_cast<int>(ids.size())).first->second;
        std::sort(id.begin(), id.end());
        if (id[0] == id[1] || id[1] == id[2]) continue;  // counted as a triangle without area
        if (!seen.insert(id).second) {
            ++out.doubled_triangles;
            continue;
        }
        for (const auto& edge : {std::pair{id[0], id[1]}, {id[1], id[2]}, {id[0], id[2]}})
            ++uses[edge];
    }
    for (const auto& [edge, count] : uses) {
        out.open_edges += count == 1;
        out.branching_edges += count > 2;
    }
    return out;
}

Json describe_mesh(const Mesh& mesh) {
    const Bounds bounds = bounds_of(mesh);
    double area = 0;
    std::int64_t flat = 0;
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        const Vec3f a = mesh.corner(t, 0);
        const double twice = Double3::between(a, mesh.corner(t, 1))
                                 .cross(Double3::between(a, mesh.corner(t, 2)))
                                 .length();
        area += 0.5 * twice;
        flat += twice == 0;
    }
    const Defects defects = defects_of(mesh);
    Json animations = Json::array();
    for (const MeshAnimation& animation : mesh.animations)
        animations.push_back({{"name", animation.name}, {"seconds", animation.seconds}});
    Json materials = Json::array();
    for (const Material& material : mesh.materials) materials.push_back(material.name);
    return {{"kind", "mesh"},
            {"vertices", mesh.positions.size()},
            {"triangles", mesh.triangle_count()},
            {"materials", materials},
            {"groups", mesh.groups},
            {"parts", mesh.parts},
            {"vertex_colours", !mesh.colours.empty()},
            {"animations", animations},
            {"file_unit_metres", mesh.file_unit_metres},
            {"file_up", to_json(mesh.file_up)},
            {"file_front", to_json(mesh.file_front)},
            {"area", area},
            {"low", to_json(bounds.low)},
            {"high", to_json(bounds.high)},
            {"zero_area_triangles", flat},
            {"open_edges", defects.open_edges},
            {"branching_edges", defects.branching_edges},
            {"doubled_triangles", defects.doubled_triangles},
            {"warnings", mesh.warnings}};
}

struct Spread {
    double low = 0, mean = 0, high = 0;
    Json json() const { return {{"least", low}, {"mean", mean}, {"most", high}}; }
};

Spread spread_of(const std::vector<double>& values) {
    if (values.empty()) return {};
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    double sum = 0;
    for (const double v : values) sum += v;
    return {*low, sum / static_cast<double>(values.size()), *high};
}

// Curliness: total turning angle per length, in turns per metre.
double turns_per_metre(const StrandSet& strands, int s) {
    double angle = 0, length = 0;
    Double3 before{0, 0, 0};
    for (int i = 1; i < strands.layout->vertex_count(s); ++i) {
        const Double3 e =
            Double3::between(strands.position.vec3(s, i - 1), strands.position.vec3(s, i));
        length += e.length();
        if (i > 1) angle += std::atan2(before.cross(e).length(), before.dot(e));
        before = e;
    }
    return length > 0 ? angle / (2 * static_cast<double>(kPi)) / length : 0;
}

std::int64_t duplicate_strands(const StrandSet& strands) {
    std::map<std::uint64_t, int> seen;
    std::int64_t duplicates = 0;
    for (int s = 0; s < strands.strand_count(); ++s) {
        Hash hash;
        for (int i = 0; i < strands.layout->vertex_count(s); ++i)
            for (int axis = 0; axis < 3; ++axis) hash.add(strands.position.at(s, i, axis));
        duplicates += seen[hash.value()]++ > 0;
    }
    return duplicates;
}

// Statistics gathered in one pass over all vertices.
struct StrandCensus {
    std::vector<double> counts, lengths, turns, diameters;
    std::int64_t zero_segments = 0, zero_strands = 0, bare_roots = 0, nonfinite = 0;
    Bounds bounds{{0, 0, 0}, {0, 0, 0}};
};

StrandCensus census_of(const StrandSet& strands) {
    StrandCensus out;
    for (int s = 0; s < strands.strand_count(); ++s) {
        const int count = strands.layout->vertex_count(s);
        double length = 0;
        for (int i = 0; i < count; ++i) {
            const Vec3f p = strands.position.vec3(s, i);
            out.nonfinite += !is_finite(p);
            if (s == 0 && i == 0) out.bounds = {p, p};
            Bounds& b = out.bounds;
            b.low = {min(b.low.x, p.x), min(b.low.y, p.y), min(b.low.z, p.z)};
            b.high = {max(b.high.x, p.x), max(b.high.y, p.y), max(b.high.z, p.z)};
            out.diameters.push_back(2 * static_cast<double>(strands.radius.at(s, i)));
            if (i == 0) continue;
            const double segment = Double3::between(strands.position.vec3(s, i - 1), p).length();
            out.zero_segments += segment == 0;
            length += segment;
        }
        out.counts.push_back(count);
        out.bare_roots += count == 1;
        out.zero_strands += count > 1 && length == 0;
        out.lengths.push_back(length);
        out.turns.push_back(turns_per_metre(strands, s));
    }
    return out;
}

Json describe_strands(const StrandSet& strands) {
    const StrandCensus census = census_of(strands);
    return {{"kind", "strands"},
            {"strands", strands.strand_count()},
            {"vertices", strands.layout->vertex_total()},
            {"vertices_per_strand", spread_of(census.counts).json()},
            {"length", spread_of(census.lengths).json()},
            {"diameter", spread_of(census.diameters).json()},
            {"turns_per_metre", spread_of(census.turns).json()},
            {"low", to_json(census.bounds.low)},
            {"high", to_json(census.bounds.high)},
            {"has_root_uv", !strands.root_uv.empty()},
            {"strands_without_hair", census.bare_roots},
            {"strands_of_no_length", census.zero_strands},
            {"zero_length_segments", census.zero_segments},
            {"duplicate_strands", duplicate_strands(strands)},
            {"nonfinite_vertices", census.nonfinite}};
}

// The number of roots farther than a millimetre from the mesh, and the largest distance.
Json roots_off(const StrandSet& strands, const Mesh& mesh) {
    const Bvh skin(mesh);
    std::int64_t off = 0;
    double worst = 0;
    for (int s = 0; s < strands.strand_count(); ++s) {
        const ClosestPoint at = skin.closest(strands.position.vec3(s, 0), 1e6f);
        const double away = std::abs(static_cast<double>(at.distance));
        worst = std::max(worst, away);
        off += away > 1e-3;
    }
    return {{"count", off}, {"farthest", worst}};
}

// Places the strands on the mesh as a scene would, and says what was assumed.
Result<Json> describe_on_mesh(const std::string& path, StrandSet strands, const std::string& mesh,
                              const std::vector<std::string>& overrides) {
    Scene scene;
    scene.groom.mesh = mesh;
    scene.groom.import.file = path;
    const auto no_preset = [](const std::string&) -> Result<std::string> {
        return Error{"a preset does not place strands; set keys like groom.file_units"};
    };
    const Result<void> changed = apply_overrides(scene, overrides, "--set", no_preset);
    if (!changed) return changed.error();
    Result<Mesh> skin = read_mesh(mesh);
    if (!skin) return skin.error();
    HeadMesh head{std::move(*skin)};
    const Result<void> prepared = prepare_head(scene, head);
    if (!prepared) return prepared.error();
    Messages messages = head.messages;
    const Result<void> placed = place_groom(scene, strands, head, messages);
    if (!placed) return placed.error();
    Json warnings = Json::array();
    for (const Warning& warning : messages.warnings)
        warnings.push_back(warning.place + ": " + warning.text);
    return Json{{"assumptions", messages.assumptions},
                {"warnings", warnings},
                {"roots_off_mesh", roots_off(strands, head.mesh)}};
}

std::string value_text(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    if (value.is_array() || value.is_object()) {
        std::string out;
        for (const auto& [key, part] : value.items())
            out += (out.empty()         ? ""
                    : value.is_object() ? ", "
                                        : " ") +
                   (value.is_object() ? key + " " : "") + value_text(part);
        return out.empty() ? "none" : out;
    }
    return value.dump();
}

std::string as_text(const Json& json) {
    std::string out;
    for (const auto& [key, value] : json.items()) {
        std::string label = key;
        std::replace(label.begin(), label.end(), '_', ' ');
        out += fmt::format("{:<24}{}\n", label, value_text(value));
    }
    return out;
}

}  // namespace

Result<std::string> describe_file(const std::string& path, const std::string& mesh, bool json,
                                  const std::vector<std::string>& overrides) try {
    if (mesh.empty() && !overrides.empty())
        return Error{"--set changes how strands lie on a mesh; give the mesh with --mesh"};
    Json described;
    const bool may_be_mesh = is_mesh_file(path);
    const Result<Mesh> as_mesh = may_be_mesh ? read_mesh(path) : Error{"not a mesh"};
    if (as_mesh) {
        described = describe_mesh(*as_mesh);
        // A file may hold both, such as a shot.
        if (is_groom_file(path))
            if (const Result<StrandSet> strands = read_groom(path))
                described["hair"] = describe_strands(*strands);
    } else if (is_groom_file(path)) {
        Result<StrandSet> strands = read_groom(path);
        // For an .obj that is neither, the mesh error is the more useful one.
        if (!strands) return may_be_mesh ? as_mesh.error() : strands.error();
        described = describe_strands(*strands);
        if (!mesh.empty()) {
            const Result<Json> placed =
                describe_on_mesh(path, std::move(*strands), mesh, overrides);
            if (!placed) return placed.error();
            described.update(*placed);
        }
    } else {
        return may_be_mesh
                   ? as_mesh.error()
                   : Error{"unknown file format; use " + list_extensions(file_formats()), path};
    }
    return json ? json_text(described, 2) : as_text(described);
} catch (...) {
    return error_from_exception();
}

}  // namespace ringlet
