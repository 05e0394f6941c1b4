// Merges the meshes of a file into one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pose.h"

namespace ringlet {

// The vertices of one instance in the merged mesh. Equal vertices are merged: some formats repeat
// each vertex for every triangle.
struct Part {
    Instance instance;
    std::vector<unsigned> vertices;  // of the mesh, one per vertex of the merged mesh
};

struct MergedMesh {
    std::vector<Part> parts;
    std::vector<float> positions, normals, uvs, colours;  // as in mesh_message.h
    std::vector<std::uint32_t> indices;
    std::vector<std::int32_t> triangle_material, triangle_part;
    std::vector<std::string> part_names;
    bool has_normals = false, has_colours = false;
};

struct MergeSettings {
    bool srgb_colours = false;    // vertex colours are sRGB, not linear
    std::vector<int> uv_channel;  // by material: the set of texture coordinates
};

// Throws std::runtime_error if the file has no triangles or too many vertices.
MergedMesh merge(const aiScene& scene, const Pose& pose, const MergeSettings& settings);

// The positions of all vertices of the merged mesh in a pose.
std::vector<float> positions_of(const MergedMesh& mesh, const Pose& pose);

}  // namespace ringlet
