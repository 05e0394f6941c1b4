#include "fur/pelt.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "collide/mesh_body.h"

namespace ringlet {

namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

// For each vertex, the first vertex with exactly the same position.
std::vector<std::uint32_t> welded(const std::vector<Vec3f>& positions) {
    std::vector<std::uint32_t> order(positions.size()), out(positions.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto key = [&](std::uint32_t i) {
        const Vec3f p = positions[i];
        return std::array<float, 3>{p.x, p.y, p.z};
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const auto ka = key(a), kb = key(b);
        return ka != kb ? ka < kb : a < b;
    });
    for (std::size_t k = 0; k < order.size(); ++k)
        out[order[k]] = k > 0 && key(order[k]) == key(order[k - 1]) ? out[order[k - 1]] : order[k];
    return out;
}

bool has_area(Vec3f a, Vec3f b, Vec3f c) {
    const Vec3f ab = b - a, ac = c - a, bc = c - b;
    const float longest = max(max(dot(ab, ab), dot(ac, ac)), dot(bc, bc));
    return norm(cross(ab, ac)) > 1e-6f * longest;
}

// The indices of the triangles that have an area, each triangle once.
std::vector<std::uint32_t> valid_triangles(const Mesh& mesh,
                                           const std::vector<std::uint32_t>& weld) {
    std::vector<std::uint32_t> out;
    std::set<std::array<std::uint32_t, 3>> seen;
    for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
        const std::uint32_t* corner = &mesh.indices[t];
        if (std::max({corner[0], corner[1], corner[2]}) >= mesh.positions.size()) continue;
        if (!has_area(mesh.positions[corner[0]], mesh.positions[corner[1]],
                      mesh.positions[corner[2]]))
            continue;
        std::array<std::uint32_t, 3> key{weld[corner[0]], weld[corner[1]], weld[corner[2]]};
        std::sort(key.begin(), key.end());
        if (seen.insert(key).second) out.insert(out.end(), corner, corner + 3);
    }
    return out;
}

// The mesh with some of its triangles and all of its vertices.
Mesh only(const Mesh& mesh, const std::vector<bool>& triangles) {
    Mesh out = mesh;
    out.indices.clear();
    out.triangle_material.clear();
    out.triangle_group.clear();
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        if (!triangles[t]) continue;
        for (std::size_t k = 0; k < 3; ++k) out.indices.push_back(mesh.indices[3 * t + k]);
        out.triangle_material.push_back(mesh.triangle_material[t]);
        out.triangle_group.push_back(mesh.triangle_group[t]);
    }
    return out;
}

float rms_radius_of(const std::vector<Vec3f>& points) {
    double mean[3] = {0, 0, 0}, sum = 0;
    const auto count = static_cast<double>(std::max<std::size_t>(points.size(), 1));
    const auto components = [](Vec3f p) {
        return std::array<double, 3>{double{p.x}, double{p.y}, double{p.z}};
    };
    for (const Vec3f p : points)
        for (std::size_t k = 0; k < 3; ++k) mean[k] += components(p)[k] / count;
    for (const Vec3f p : points)
        for (std::size_t k = 0; k < 3; ++k)
            sum += (components(p)[k] - mean[k]) * (components(p)[k] - mean[k]);
    return static_cast<float>(std::sqrt(sum / count));
}

// Every edge once, with vertices at the same position welded.
std::vector<std::uint32_t> edges_of(const Pelt& pelt) {
    const std::vector<std::uint32_t> weld = welded(pelt.positions);
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    std::vector<std::uint32_t> out;
    for (std::size_t t = 0; t < pelt.indices.size(); t += 3)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = pelt.indices[t + k], b = pelt.indices[t + (k + 1) % 3];
            if (seen.insert(std::minmax(weld[a], weld[b])).second) out.insert(out.end(), {a, b});
        }
    return out;
}

}  // namespace

Result<Pelt> make_pelt(const Mesh& mesh, const std::string& part, const std::vector<bool>& grows) {
    const Result<Mesh> chosen = part_of_mesh(grows.empty() ? mesh : only(mesh, grows), part);
    if (!chosen) return chosen.error();
    const std::vector<std::uint32_t> kept = valid_triangles(*chosen, welded(chosen->positions));
    if (kept.empty()) return Error{"the mesh has no triangle with an area for fur to grow on"};
    Pelt pelt;
    std::vector<std::uint32_t> number(chosen->positions.size(), kNone);
    for (const std::uint32_t i : kept) {
        if (number[i] == kNone) {
            number[i] = static_cast<std::uint32_t>(pelt.positions.size());
            pelt.positions.push_back(chosen->positions[i]);
            pelt.uvs.push_back(i < chosen->uvs.size() ? chosen->uvs[i] : Vec2f{0, 0});
            pelt.source.push_back(i);
        }
        pelt.indices.push_back(number[i]);
    }
    pelt.lengths.assign(pelt.positions.size(), 1.0f);
    update_normals(pelt);
    pelt.edges = edges_of(pelt);
    const bool is_whole = part.empty() && grows.empty();
    pelt.rms_radius = max(rms_radius_of(is_whole ? pelt.positions : mesh.positions), 1e-6f);
    for (std::size_t t = 0; t < pelt.indices.size(); t += 3) {
        const Vec3f a = pelt.positions[pelt.indices[t]];
        pelt.area +=
            0.5 * static_cast<double>(norm(cross(pelt.positions[pelt.indices[t + 1]] - a,
                                                 pelt.positions[pelt.indices[t + 2]] - a)));
    }
    return pelt;
}

void update_normals(Pelt& pelt) {
    const std::vector<std::uint32_t> weld = welded(pelt.positions);
    std::vector<Vec3f> sums(pelt.positions.size(), Vec3f{0, 0, 0}), first = sums;
    for (std::size_t t = 0; t < pelt.indices.size(); t += 3) {
        const Vec3f a = pelt.positions[pelt.indices[t]];
        const Vec3f n =
            cross(pelt.positions[pelt.indices[t + 1]] - a, pelt.positions[pelt.indices[t + 2]] - a);
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t at = weld[pelt.indices[t + k]];
            sums[at] += n;
            if (dot(first[at], first[at]) == 0) first[at] = n;
        }
    }
    pelt.normals.resize(pelt.positions.size());
    for (std::size_t i = 0; i < pelt.positions.size(); ++i) {
        // Where two sheets of a mesh lie back to back their normals cancel: use one of them.
        const Vec3f any = unit_or(first[weld[i]], Vec3f{0, 1, 0});
        const Vec3f sum = sums[weld[i]];
        const bool cancels = norm(sum) < 1e-4f * norm(first[weld[i]]);
        pelt.normals[i] = cancels ? any : unit_or(sum, any);
    }
}

void find_edges_seen_edge_on(const Pelt& pelt, Vec3f eye, float slant,
                             std::vector<std::uint32_t>& out) {
    out.clear();
    const float most = slant * slant;
    for (std::size_t k = 0; k < pelt.edges.size(); k += 2) {
        const std::uint32_t a = pelt.edges[k], b = pelt.edges[k + 1];
        const Vec3f n = pelt.normals[a] + pelt.normals[b];
        const Vec3f view = eye - (pelt.positions[a] + pelt.positions[b]) * 0.5f;
        const float facing = dot(n, view);
        if (facing * facing < most * dot(n, n) * dot(view, view)) {
            out.push_back(a);
            out.push_back(b);
        }
    }
}

}  // namespace ringlet
