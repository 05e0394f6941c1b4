#include "io/mesh/triangle_soup.h"

#include <algorithm>
#include <array>

#include "math/finite.h"

namespace ringlet {

namespace {

constexpr std::uint32_t kUnused = 0xffffffffu;

bool is_less(Vec3f a, Vec3f b) { return std::array{a.x, a.y, a.z} < std::array{b.x, b.y, b.z}; }

// For each vertex, the first one at the same position.
std::vector<std::uint32_t> first_at_position(const std::vector<Vec3f>& positions) {
    std::vector<std::uint32_t> order(positions.size()), out(positions.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        if (is_less(positions[a], positions[b])) return true;
        return !is_less(positions[b], positions[a]) && a < b;
    });
    for (std::size_t k = 0; k < order.size(); ++k) {
        const bool repeats = k > 0 && !is_less(positions[order[k - 1]], positions[order[k]]);
        out[order[k]] = repeats ? out[order[k - 1]] : order[k];
    }
    return out;
}

bool has_area(const TriangleSoup& soup, const std::uint32_t* corner) {
    const Vec3f a = soup.positions[corner[0]];
    const Vec3f n = cross(soup.positions[corner[1]] - a, soup.positions[corner[2]] - a);
    return norm(n) > 0;
}

template <class T>
void copy_if_any(const std::vector<T>& from, std::uint32_t index, std::vector<T>& to) {
    if (!from.empty()) to.push_back(from[index]);
}

}  // namespace

Result<Mesh> mesh_of(TriangleSoup soup, const std::filesystem::path& path,
                     std::vector<std::uint32_t>* kept) {
    for (std::size_t i = 0; i < soup.positions.size(); ++i)
        if (!is_finite(soup.positions[i]))
            return Error{"vertex " + std::to_string(i) +
                             " (counted from 0) has a coordinate that is not a finite number",
                         path.string()};
    if (soup.merges_positions) {
        const std::vector<std::uint32_t> first = first_at_position(soup.positions);
        for (std::uint32_t& index : soup.indices) index = first[index];
    }
    Mesh mesh;
    const bool has_parts = soup.parts.size() > 1;
    std::vector<Vec3f> normals;
    std::vector<std::uint32_t> number(soup.positions.size(), kUnused);
    for (std::size_t k = 0; k + 2 < soup.indices.size(); k += 3) {
        if (!has_area(soup, &soup.indices[k])) continue;
        for (std::size_t c = 0; c < 3; ++c) {
            const std::uint32_t from = soup.indices[k + c];
            if (number[from] == kUnused) {
                number[from] = static_cast<std::uint32_t>(mesh.positions.size());
                mesh.positions.push_back(soup.positions[from]);
                if (kept) kept->push_back(from);
                copy_if_any(soup.normals, from, normals);
                copy_if_any(soup.uvs, from, mesh.uvs);
                copy_if_any(soup.colours, from, mesh.colours);
            }
            mesh.indices.push_back(number[from]);
        }
        if (has_parts) mesh.triangle_part.push_back(soup.triangle_part[k / 3]);
    }
    if (mesh.indices.empty())
        return Error{"has no triangles (" + std::to_string(soup.positions.size()) + " vertices)",
                     path.string()};
    mesh.uvs.resize(mesh.positions.size(), Vec2f{0, 0});
    mesh.triangle_material.assign(mesh.indices.size() / 3, -1);
    mesh.triangle_group.assign(mesh.indices.size() / 3, -1);
    // groom.scalp may name a part.
    if (has_parts) {
        mesh.triangle_group = mesh.triangle_part;
        mesh.parts = mesh.groups = std::move(soup.parts);
    }
    if (normals.empty())
        compute_smooth_normals(mesh);
    else
        set_normals(mesh, std::move(normals));
    return mesh;
}

}  // namespace ringlet
