// Meshes as strangers' files contain them, derived from a sound one.
#pragma once

#include <cmath>
#include <map>
#include <tuple>

#include "geom/placement.h"
#include "math/noise.h"

namespace ringlet {

inline Mesh scaled(Mesh mesh, float factor) {
    for (Vec3f& p : mesh.positions) p = p * factor;
    return mesh;
}

// The mesh in a file whose `up` axis points up and whose `facing` axis the face looks along, for a
// mesh with +Y up that faces +Z.
inline Mesh turned_to(Mesh mesh, Vec3f up, Vec3f facing) {
    const Vec3f side = cross(up, facing);
    const auto turn = [&](Vec3f p) { return side * p.x + up * p.y + facing * p.z; };
    for (Vec3f& p : mesh.positions) p = turn(p);
    for (Vec3f& n : mesh.normals) n = turn(n);
    return mesh;
}

// A mirror image: its faces are wound inside out.
inline Mesh mirrored(Mesh mesh) {
    for (Vec3f& p : mesh.positions) p.x = -p.x;
    for (Vec3f& n : mesh.normals) n.x = -n.x;
    return mesh;
}

inline Mesh with_flipped_winding(Mesh mesh) {
    for (std::size_t k = 0; k + 2 < mesh.indices.size(); k += 3)
        std::swap(mesh.indices[k + 1], mesh.indices[k + 2]);
    return mesh;
}

// Without every triangle for which drop(t) is true. Groups and materials are left out.
template <class Drop>
Mesh without(const Mesh& mesh, const Drop& drop) {
    Mesh out;
    out.positions = mesh.positions;
    out.normals = mesh.normals;
    out.uvs = mesh.uvs;
    for (std::size_t t = 0; t < mesh.indices.size() / 3; ++t)
        if (!drop(t))
            out.indices.insert(out.indices.end(), mesh.indices.begin() + 3 * static_cast<long>(t),
                               mesh.indices.begin() + 3 * static_cast<long>(t + 1));
    out.triangle_material.assign(out.indices.size() / 3, -1);
    out.triangle_group.assign(out.indices.size() / 3, -1);
    return out;
}

inline Mesh without_a_fifth(const Mesh& mesh) {
    return without(mesh,
                   [](std::size_t t) { return hash_bits(static_cast<std::uint32_t>(t)) % 5 == 0; });
}

// Every triangle has its own corners, with the triangle's normal, as in an export without smooth
// shading.
inline Mesh with_flat_shading(const Mesh& mesh) {
    Mesh out = mesh;
    out.positions.clear();
    out.normals.clear();
    out.uvs.clear();
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
        const std::uint32_t from = mesh.indices[i];
        out.positions.push_back(mesh.positions[from]);
        out.uvs.push_back(mesh.uvs[from]);
        out.normals.push_back(unit_or(area_normal(mesh, static_cast<int>(i / 3)), Vec3f{0, 1, 0}));
        out.indices[i] = static_cast<std::uint32_t>(i);
    }
    return out;
}

// Every face twice, the second time in the opposite direction.
inline Mesh with_doubled_faces(Mesh mesh) {
    const std::size_t count = mesh.indices.size();
    for (std::size_t k = 0; k + 2 < count; k += 3)
        for (const std::size_t corner : {k, k + 2, k + 1})
            mesh.indices.push_back(mesh.indices[corner]);
    mesh.triangle_material.resize(mesh.indices.size() / 3, -1);
    mesh.triangle_group.resize(mesh.indices.size() / 3, -1);
    return mesh;
}

// Vertices within a cell become one.
inline Mesh decimated(const Mesh& mesh, float cell) {
    std::map<std::tuple<int, int, int>, std::uint32_t> cells;
    Mesh out = without(mesh, [](std::size_t) { return true; });
    out.positions.clear();
    out.normals.clear();
    std::vector<std::uint32_t> id;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const Vec3f p = mesh.positions[i];
        const auto key = [&](float a) { return static_cast<int>(std::floor(a / cell)); };
        const auto [at, is_new] = cells.try_emplace({key(p.x), key(p.y), key(p.z)},
                                                    static_cast<std::uint32_t>(cells.size()));
        id.push_back(at->second);
        if (is_new) {
            out.positions.push_back(p);
            out.normals.push_back(mesh.normals[i]);
        }
    }
    for (std::size_t k = 0; k + 2 < mesh.indices.size(); k += 3) {
        const std::uint32_t a = id[mesh.indices[k]], b = id[mesh.indices[k + 1]],
                            c = id[mesh.indices[k + 2]];
        if (a != b && b != c && c != a) out.indices.insert(out.indices.end(), {a, b, c});
    }
    out.uvs.assign(out.positions.size(), {0, 0});
    out.triangle_material.assign(out.indices.size() / 3, -1);
    out.triangle_group.assign(out.indices.size() / 3, -1);
    return out;
}

// Each triangle is divided into four, `times` times over.
inline Mesh subdivided(const Mesh& mesh, int times) {
    Mesh out = without(mesh, [](std::size_t) { return false; });
    for (; times > 0; --times) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto [at, is_new] = middles.try_emplace(
                std::minmax(a, b), static_cast<std::uint32_t>(out.positions.size()));
            if (is_new) {
                out.positions.push_back((out.positions[a] + out.positions[b]) * 0.5f);
                out.normals.push_back(unit_or(out.normals[a] + out.normals[b], Vec3f{0, 1, 0}));
            }
            return at->second;
        };
        std::vector<std::uint32_t> finer;
        for (std::size_t k = 0; k + 2 < out.indices.size(); k += 3) {
            const std::uint32_t a = out.indices[k], b = out.indices[k + 1], c = out.indices[k + 2];
            const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca});
        }
        out.indices = std::move(finer);
    }
    out.uvs.assign(out.positions.size(), {0, 0});
    out.triangle_material.assign(out.indices.size() / 3, -1);
    out.triangle_group.assign(out.indices.size() / 3, -1);
    return out;
}

}  // namespace ringlet
