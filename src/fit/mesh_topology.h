// How the triangles of a mesh are connected, by position: vertices that were split for UVs or
// normals count as one.
#pragma once

#include "geom/mesh.h"

namespace ringlet {

// Marks triangles whose three positions another, earlier triangle has too, in any order, and
// triangles with two corners at the same position.
std::vector<bool> find_repeated(const Mesh& mesh, const std::vector<std::uint32_t>& weld);

// Triangles connected through edges that exactly two of them share.
struct MeshComponents {
    int count = 0;
    std::vector<std::int32_t> of;  // component by triangle; -1 for ignored triangles
    // Whether the triangle is wound against the first triangle of its component.
    std::vector<bool> opposed;
    std::vector<bool> consistent;  // by component: false if its windings contradict each other
    std::vector<bool> closed;      // by component: every edge joins two triangles
};

MeshComponents find_components(const Mesh& mesh, const std::vector<std::uint32_t>& weld,
                               const std::vector<bool>& ignored);

}  // namespace ringlet
