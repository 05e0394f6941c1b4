// The skin fur grows on: a mesh made fit for it, whatever it was.
#pragma once

#include <span>
#include <string>

#include "geom/mesh.h"
#include "ringlet/result.h"

namespace ringlet {

// Of each vertex, in the body's frame. Where a mesh has several vertices in one place (at a seam of
// its UV) they have the same normal and length, so that their tips move alike and nothing gapes.
struct Pelt {
    std::vector<Vec3f> positions;        // m
    std::vector<Vec3f> normals;          // unit, smooth
    std::vector<Vec2f> uvs;              //
    std::vector<float> lengths;          // of the fur, relative; 1 unless someone sets them
    Vec3f comb{0, 0, 0};                 // added to the normal gives the direction at rest
    std::vector<std::uint32_t> source;   // vertex of the mesh it came from
    std::vector<std::uint32_t> indices;  // three per triangle
    std::vector<std::uint32_t> edges;    // two per edge, each edge once
    float rms_radius = 1;                // m, of the whole mesh about the mean of its vertices
    double area = 0;                     // m^2

    int vertex_count() const { return static_cast<int>(positions.size()); }
};

// The part of the mesh of that material or group; all of it where the name is empty. Triangles
// without area and triangles that are there twice, either way round, are left out, and so are
// vertices nothing refers to. Boundaries and edges of more than two triangles are kept. Fails where
// nothing is left.
Result<Pelt> make_pelt(const Mesh& mesh, const std::string& part);

// The direction in which fur leaves the skin, were there no weight.
inline Vec3f lean_of(const Pelt& pelt, std::size_t vertex) {
    const Vec3f normal = pelt.normals[vertex];
    return unit_or(normal + pelt.comb, normal);
}

// Smooth normals again, after positions have changed.
void update_normals(Pelt& pelt);

// Edges (two vertices each) where the pelt is seen edge on from `eye`, in its own frame: within
// asin(`slant`) of it.
void find_edges_seen_edge_on(const Pelt& pelt, Vec3f eye, float slant,
                             std::vector<std::uint32_t>& out);

}  // namespace ringlet
