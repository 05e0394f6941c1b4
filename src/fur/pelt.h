// The skin that fur grows on: a cleaned-up copy of (a part of) a mesh.
#pragma once

#include <span>
#include <string>

#include "geom/mesh.h"
#include "ringlet/result.h"

namespace ringlet {

// Per-vertex data in the mesh's frame. Vertices at the same position (UV seams) have the same
// normal and length, so their tips move alike and the shells stay closed.
struct Pelt {
    std::vector<Vec3f> positions;  // m
    std::vector<Vec3f> normals;    // unit, smooth
    std::vector<Vec2f> uvs;
    std::vector<float> lengths;          // relative length of the fur; make_pelt() sets 1
    Vec3f comb{0, 0, 0};                 // added to the normal to give the direction at rest
    std::vector<std::uint32_t> source;   // index of the mesh's vertex
    std::vector<std::uint32_t> indices;  // three per triangle
    std::vector<std::uint32_t> edges;    // two per edge, each edge once
    float rms_radius = 1;                // m, RMS distance of the mesh's vertices from their mean
    double area = 0;                     // m^2

    int vertex_count() const { return static_cast<int>(positions.size()); }
};

// Uses the triangles of the material or group named `part`; all if the name is empty. `grows` tells
// for each triangle of the mesh whether it is used; empty: all are. Drops degenerate and duplicate
// triangles (of either winding) and unused vertices. Keeps boundaries and non-manifold edges. Fails
// if no triangle is left.
Result<Pelt> make_pelt(const Mesh& mesh, const std::string& part,
                       const std::vector<bool>& grows = {});

// Unit direction of the fur at rest without gravity.
inline Vec3f rest_direction(const Pelt& pelt, std::size_t vertex) {
    const Vec3f normal = pelt.normals[vertex];
    return unit_or(normal + pelt.comb, normal);
}

// Recomputes the smooth normals after positions have changed.
void update_normals(Pelt& pelt);

// Writes the edges (two vertices each) whose mean normal is within asin(`slant`) of perpendicular
// to the view from `eye`, given in the pelt's frame.
void find_edges_seen_edge_on(const Pelt& pelt, Vec3f eye, float slant,
                             std::vector<std::uint32_t>& out);

}  // namespace ringlet
