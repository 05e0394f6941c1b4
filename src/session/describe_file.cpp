// `ringlet info`: what a file holds, in numbers a person or a script can read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "io/hair/hair_file.h"
#include "io/obj/obj_reader.h"
#include "ringlet/jobs.h"

namespace ringlet {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(Vec3f a) { return Json::array({a.x, a.y, a.z}); }

// Edges that do not join exactly two triangles, by position: UV seams do not count.
std::int64_t open_edges(const Mesh& mesh) {
    const auto less = [](Vec3f a, Vec3f b) {
        return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
    };
    std::map<Vec3f, int, decltype(less)> ids(less);
    std::map<std::pair<int, int>, int> uses;
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        int id[3];
        for (int k = 0; k < 3; ++k)
            id[k] = ids.try_emplace(mesh.corner(t, k), static_cast<int>(ids.size())).first->second;
        for (int k = 0; k < 3; ++k) ++uses[std::minmax(id[k], id[(k + 1) % 3])];
    }
    return std::count_if(uses.begin(), uses.end(), [](const auto& use) { return use.second != 2; });
}

Json describe_mesh(const Mesh& mesh) {
    const Bounds bounds = bounds_of(mesh);
    double area = 0;
    std::int64_t flat = 0;
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        const double twice = static_cast<double>(norm(area_normal(mesh, t)));
        area += 0.5 * twice;
        flat += twice == 0;
    }
    Json materials = Json::array();
    for (const Material& material : mesh.materials) materials.push_back(material.name);
    return {{"kind", "mesh"},
            {"vertices", mesh.positions.size()},
            {"triangles", mesh.triangle_count()},
            {"materials", materials},
            {"groups", mesh.groups},
            {"area", area},
            {"low", to_json(bounds.low)},
            {"high", to_json(bounds.high)},
            {"zero_area_triangles", flat},
            {"open_edges", open_edges(mesh)}};
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

Json describe_strands(const StrandSet& strands) {
    std::vector<double> lengths, counts;
    std::int64_t zero_segments = 0, bare_roots = 0;
    Bounds bounds{{0, 0, 0}, {0, 0, 0}};
    for (int s = 0; s < strands.strand_count(); ++s) {
        const int count = strands.layout->vertex_count(s);
        counts.push_back(count);
        bare_roots += count == 1;
        double length = 0;
        for (int i = 0; i < count; ++i) {
            const Vec3f p = strands.position.vec3(s, i);
            if (s == 0 && i == 0) bounds = {p, p};
            bounds.low = {min(bounds.low.x, p.x), min(bounds.low.y, p.y), min(bounds.low.z, p.z)};
            bounds.high = {max(bounds.high.x, p.x), max(bounds.high.y, p.y),
                           max(bounds.high.z, p.z)};
            if (i == 0) continue;
            const double segment = static_cast<double>(norm(p - strands.position.vec3(s, i - 1)));
            zero_segments += segment == 0;
            length += segment;
        }
        lengths.push_back(length);
    }
    return {{"kind", "strands"},
            {"strands", strands.strand_count()},
            {"vertices", strands.layout->vertex_total()},
            {"vertices_per_strand", spread_of(counts).json()},
            {"length", spread_of(lengths).json()},
            {"low", to_json(bounds.low)},
            {"high", to_json(bounds.high)},
            {"strands_without_hair", bare_roots},
            {"zero_length_segments", zero_segments}};
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
        out += fmt::format("{:<22}{}\n", label, value_text(value));
    }
    return out;
}

}  // namespace

Result<std::string> describe_file(const std::string& path, bool json) {
    const std::string kind = std::filesystem::path(path).extension().string();
    Json described;
    if (kind == ".obj") {
        const Result<Mesh> mesh = read_obj(path);
        if (!mesh) return mesh.error();
        described = describe_mesh(*mesh);
    } else if (kind == ".hair") {
        const Result<StrandSet> strands = read_hair(path);
        if (!strands) return strands.error();
        described = describe_strands(*strands);
    } else {
        return Error{"unknown kind of file; give .obj or .hair", path};
    }
    return json ? described.dump(2) + "\n" : as_text(described);
}

}  // namespace ringlet
