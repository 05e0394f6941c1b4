#include "fit/head_parts.h"

#include <algorithm>

#include "base/lower_case.h"
#include "fit/find_head.h"
#include "fit/mesh_topology.h"
#include "geom/weld.h"

namespace ringlet {

namespace {

struct NameRule {
    std::string_view word;
    int points;
};
// The first word that a name contains decides. Words of other parts come first, because such names
// often contain "head" as well: "head_eyelashes".
constexpr NameRule kNameRules[] = {
    {"hair", -3},   {"lash", -3}, {"brow", -3},   {"eye", -3},     {"teeth", -3}, {"tooth", -3},
    {"tongue", -3}, {"gum", -3},  {"mouth", -3},  {"cornea", -3},  {"iris", -3},  {"tear", -3},
    {"beard", -3},  {"hat", -3},  {"helmet", -3}, {"glasses", -3}, {"shirt", -3}, {"dress", -3},
    {"cloth", -3},  {"shoe", -3}, {"pants", -3},  {"jeans", -3},   {"boot", -3},  {"collar", -3},
    {"scalp", 3},   {"head", 3},  {"face", 2},    {"bust", 2},     {"skin", 1},   {"body", 1},
    {"figure", 1},  {"human", 1}, {"person", 1},  {"character", 1}};

int points_of_name(const std::string& name) {
    const std::string text = lower_case(name);
    for (const NameRule& rule : kNameRules)
        if (text.find(rule.word) != std::string::npos) return rule.points;
    return 0;
}

// Parts that are one surface.
struct Surface {
    std::vector<bool> parts;
    std::string name;  // of its largest part, or of the part with the best name
    int points = -4;   // best of its names
    double area = 0;
    float misfit = 1;
};

// The surface of each part: parts with a common position belong together.
std::vector<std::size_t> surface_of_parts(const Mesh& mesh) {
    std::vector<std::size_t> parent(mesh.parts.size());
    for (std::size_t k = 0; k < parent.size(); ++k) parent[k] = k;
    const auto root_of = [&](std::size_t k) {
        while (parent[k] != k) k = parent[k] = parent[parent[k]];
        return k;
    };
    const std::vector<std::uint32_t> weld = weld_positions(mesh.positions);
    std::vector<std::int32_t> first_part(mesh.positions.size(), -1);
    for (std::size_t k = 0; k < mesh.indices.size(); ++k) {
        const std::int32_t part = mesh.triangle_part[k / 3];
        std::int32_t& first = first_part[weld[mesh.indices[k]]];
        if (part < 0) continue;
        if (first < 0) first = part;
        const std::size_t a = root_of(static_cast<std::size_t>(first));
        const std::size_t b = root_of(static_cast<std::size_t>(part));
        parent[std::max(a, b)] = std::min(a, b);
    }
    for (std::size_t k = 0; k < parent.size(); ++k) parent[k] = root_of(k);
    return parent;
}

std::vector<Surface> find_surfaces(const Mesh& mesh) {
    const std::vector<std::size_t> root = surface_of_parts(mesh);
    std::vector<Surface> all(mesh.parts.size());
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        const std::int32_t part = mesh.triangle_part[static_cast<std::size_t>(t)];
        if (part >= 0)
            all[root[static_cast<std::size_t>(part)]].area +=
                static_cast<double>(norm(area_normal(mesh, t)));
    }
    for (std::size_t k = 0; k < mesh.parts.size(); ++k) {
        Surface& surface = all[root[k]];
        surface.parts.resize(mesh.parts.size(), false);
        surface.parts[k] = true;
        const int points = points_of_name(mesh.parts[k]);
        if (points <= surface.points) continue;
        surface.points = points;
        surface.name = mesh.parts[k];
    }
    std::erase_if(all, [](const Surface& surface) { return surface.parts.empty(); });
    return all;
}

// Larger is better: a head's shape counts like the best name, a shape that is far from one like the
// worst.
double score_of(const Surface& surface, double largest_area) {
    const double shape = 3 - 20 * std::max(0.0, static_cast<double>(surface.misfit) - 0.1);
    return surface.points + std::max(shape, -3.0) + surface.area / largest_area;
}

std::string names_text(const Mesh& mesh) {
    constexpr std::size_t kMost = 12;
    std::string out;
    for (std::size_t k = 0; k < std::min(kMost, mesh.parts.size()); ++k)
        out += (k == 0 ? "" : ", ") + mesh.parts[k];
    return mesh.parts.size() > kMost ? out + ", ..." : out;
}

// The name that begins or contains what was typed, or whose beginning was typed.
std::string similar_name(const Mesh& mesh, const std::string& wanted) {
    for (const std::string& name : mesh.parts)
        if (lower_case(name).find(lower_case(wanted)) != std::string::npos ||
            lower_case(wanted).find(lower_case(name)) != std::string::npos)
            return name;
    return {};
}

Result<std::vector<bool>> find_part(const Mesh& mesh, const std::string& wanted,
                                    const std::string& key, const std::string& file) {
    for (std::size_t k = 0; k < mesh.parts.size(); ++k)
        if (lower_case(mesh.parts[k]) == lower_case(wanted)) {
            std::vector<bool> out(mesh.parts.size(), false);
            out[k] = true;
            return out;
        }
    if (mesh.parts.empty())
        return Error{key + ": the mesh has no separate parts; set it to \"all\"", file};
    const std::string similar = similar_name(mesh, wanted);
    return Error{key + ": no part is called \"" + wanted + "\"; " +
                     (similar.empty() ? "the parts are " + names_text(mesh)
                                      : "did you mean \"" + similar + "\"?"),
                 file};
}

// Examines the shape of the most promising surfaces only: each takes a tenth of a second.
void examine_shapes(const Mesh& mesh, double largest_area, std::vector<Surface>& surfaces) {
    constexpr std::size_t kExamined = 4;
    const auto promise = [&](const Surface& surface) {
        return surface.points + surface.area / largest_area;
    };
    std::stable_sort(surfaces.begin(), surfaces.end(),
                     [&](const Surface& a, const Surface& b) { return promise(a) > promise(b); });
    if (surfaces.size() > kExamined) surfaces.resize(kExamined);
    for (Surface& surface : surfaces) {
        const FoundHead found = find_head(mesh, {surface.parts});
        if (!found.candidates.empty()) surface.misfit = found.best().misfit;
    }
}

}  // namespace

Result<std::vector<bool>> choose_head_parts(const Mesh& mesh, const std::string& wanted,
                                            const std::string& key, const std::string& file,
                                            Messages& messages) {
    if (wanted == "all") return std::vector<bool>{};
    if (wanted != "auto") return find_part(mesh, wanted, key, file);
    if (mesh.parts.size() < 2 || mesh.triangle_part.empty()) return std::vector<bool>{};
    std::vector<Surface> surfaces = find_surfaces(mesh);
    if (surfaces.size() < 2) return std::vector<bool>{};
    double largest = 0;
    for (const Surface& surface : surfaces) largest = std::max(largest, surface.area);
    if (!(largest > 0)) return std::vector<bool>{};
    examine_shapes(mesh, largest, surfaces);
    const auto best =
        std::max_element(surfaces.begin(), surfaces.end(), [&](const Surface& a, const Surface& b) {
            return score_of(a, largest) < score_of(b, largest);
        });
    messages.assumptions.push_back(file + ": hair grows on the part \"" + best->name + "\" of " +
                                   std::to_string(mesh.parts.size()) + " (set " + key + ")");
    return best->parts;
}

}  // namespace ringlet
