// Points spread evenly over the area of a mesh. How the surface is divided into triangles does not
// matter, so an analysis of the points works alike on coarse, fine and damaged meshes.
#pragma once

#include "geom/mesh.h"

namespace ringlet {

// A subset of a mesh's triangles: those of some parts, or all of them.
struct TriangleSubset {
    std::vector<bool> parts{};  // by part, as Mesh::grows_hair; empty: all triangles

    bool holds(const Mesh& mesh, int triangle) const {
        if (parts.empty() || mesh.triangle_part.empty()) return true;
        const std::int32_t part = mesh.triangle_part[static_cast<std::size_t>(triangle)];
        return part >= 0 && parts[static_cast<std::size_t>(part)];
    }
};

// Enough points for the analyses of a head.
inline constexpr int kSurfaceSamples = 60'000;

// About `count` points within `region`, at equal steps of the accumulated area of the triangles
// whose centre lies in it. Empty if these have no area.
std::vector<Vec3f> sample_surface(const Mesh& mesh, int count, const TriangleSubset& subset = {},
                                  const Bounds* region = nullptr);

}  // namespace ringlet
