#include "mesh_parts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <unordered_map>

#include "math/srgb.h"

namespace ringlet {

namespace {

constexpr std::size_t kMaxVertices = 100'000'000;

// The attributes of a vertex, by which equal ones are found. Vertices that the animation may
// separate have different `deformation`.
struct VertexKey {
    std::array<float, 11> attributes{};  // position, normal, UV, colour
    std::uint64_t deformation = 0;
    bool operator==(const VertexKey&) const = default;
};

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

std::uint64_t mixed(std::uint64_t hash, float value) {
    return mixed(hash, std::uint64_t{std::bit_cast<std::uint32_t>(value)});
}

struct HashKey {
    std::size_t operator()(const VertexKey& key) const {
        std::uint64_t hash = key.deformation;
        for (const float a : key.attributes) hash = mixed(hash, a);
        return hash;
    }
};

float finite_or_zero(float value) { return std::isfinite(value) ? value + 0.0f : 0.0f; }

// A hash of the bone weights and morph targets of each vertex; empty if the mesh does not deform.
std::vector<std::uint64_t> deformations_of(const aiMesh& mesh) {
    std::vector<std::uint64_t> out;
    if (mesh.mNumBones == 0 && mesh.mNumAnimMeshes == 0) return out;
    out.assign(mesh.mNumVertices, 0);
    for (unsigned b = 0; b < mesh.mNumBones; ++b)
        for (unsigned i = 0; i < mesh.mBones[b]->mNumWeights; ++i) {
            const aiVertexWeight& at = mesh.mBones[b]->mWeights[i];
            if (at.mVertexId >= mesh.mNumVertices) continue;
            std::uint64_t& hash = out[at.mVertexId];
            hash = mixed(mixed(hash, std::uint64_t{b} + 1), at.mWeight);
        }
    for (unsigned m = 0; m < mesh.mNumAnimMeshes; ++m) {
        const aiAnimMesh& target = *mesh.mAnimMeshes[m];
        if (!target.mVertices || target.mNumVertices != mesh.mNumVertices) continue;
        for (unsigned v = 0; v < mesh.mNumVertices; ++v)
            for (const float c :
                 {target.mVertices[v].x, target.mVertices[v].y, target.mVertices[v].z})
                out[v] = mixed(out[v], c);
    }
    return out;
}

bool is_degenerate(const aiVector3D& a, const aiVector3D& b, const aiVector3D& c) {
    return a == b || b == c || c == a || ((b - a) ^ (c - a)).SquareLength() == 0;
}

class Merger {
public:
    Merger(const aiScene& scene, const Pose& pose, const MergeSettings& settings)
        : scene_(scene), pose_(pose), settings_(settings) {}

    MergedMesh merge() {
        for (const Instance& instance : instances_of(scene_)) add(instance);
        if (out_.indices.empty())
            throw std::runtime_error("it has no triangles (" + std::to_string(points_) +
                                     " vertices)");
        out_.positions = positions_of(out_, pose_);
        if (out_.has_normals) place_normals();
        return std::move(out_);
    }

private:
    void add(const Instance& instance) {
        const aiMesh& mesh = *instance.mesh;
        points_ += mesh.mNumVertices;
        if (!mesh.HasFaces() || !mesh.HasPositions()) return;
        numbers_.clear();
        corner_.assign(mesh.mNumVertices, std::numeric_limits<std::uint32_t>::max());
        deformations_ = deformations_of(mesh);
        Part part{instance, {}};
        // A mirrored part would be inside out. Bones are assumed not to mirror.
        const bool mirrored = !mesh.HasBones() && pose_.to_scene(*instance.node).Determinant() < 0;
        const std::size_t before = out_.indices.size();
        for (unsigned f = 0; f < mesh.mNumFaces; ++f) add(mesh, mesh.mFaces[f], mirrored, part);
        if (out_.indices.size() == before) return;
        const std::size_t triangles = (out_.indices.size() - before) / 3;
        const auto material = static_cast<std::int32_t>(mesh.mMaterialIndex);
        out_.triangle_material.insert(out_.triangle_material.end(), triangles,
                                      mesh.mMaterialIndex < scene_.mNumMaterials ? material : -1);
        out_.triangle_part.insert(out_.triangle_part.end(), triangles, part_number(instance));
        first_ += part.vertices.size();
        out_.parts.push_back(std::move(part));
    }

    void add(const aiMesh& mesh, const aiFace& face, bool mirrored, Part& part) {
        if (face.mNumIndices != 3) return;  // a point or a line
        unsigned corners[3] = {face.mIndices[0], face.mIndices[mirrored ? 2 : 1],
                               face.mIndices[mirrored ? 1 : 2]};
        for (const unsigned c : corners)
            if (c >= mesh.mNumVertices)
                throw std::runtime_error("a face refers to a vertex that does not exist");
        if (is_degenerate(mesh.mVertices[corners[0]], mesh.mVertices[corners[1]],
                          mesh.mVertices[corners[2]]))
            return;
        for (const unsigned c : corners) out_.indices.push_back(vertex(mesh, c, part));
    }

    std::uint32_t vertex(const aiMesh& mesh, unsigned v, Part& part) {
        if (corner_[v] != std::numeric_limits<std::uint32_t>::max()) return corner_[v];
        const VertexKey key = key_of(mesh, v);
        const auto next = static_cast<std::uint32_t>(first_ + part.vertices.size());
        const auto [found, added] = numbers_.try_emplace(key, next);
        corner_[v] = found->second;
        if (!added) return found->second;
        if (next >= kMaxVertices) throw std::runtime_error("it has more than 100 million vertices");
        part.vertices.push_back(v);
        const auto& a = key.attributes;
        out_.normals.insert(out_.normals.end(), {a[3], a[4], a[5]});
        out_.uvs.insert(out_.uvs.end(), {a[6], a[7]});
        out_.colours.insert(out_.colours.end(), {a[8], a[9], a[10]});
        return next;
    }

    VertexKey key_of(const aiMesh& mesh, unsigned v) {
        VertexKey key;
        auto& a = key.attributes;
        const aiVector3D& p = mesh.mVertices[v];
        a[0] = p.x + 0.0f, a[1] = p.y + 0.0f, a[2] = p.z + 0.0f;
        if (mesh.HasNormals()) {
            const aiVector3D& n = mesh.mNormals[v];
            a[3] = finite_or_zero(n.x), a[4] = finite_or_zero(n.y), a[5] = finite_or_zero(n.z);
            out_.has_normals = true;
        }
        const unsigned set = uv_set(mesh);
        if (mesh.HasTextureCoords(set)) {
            a[6] = finite_or_zero(mesh.mTextureCoords[set][v].x);
            a[7] = finite_or_zero(mesh.mTextureCoords[set][v].y);
        }
        a[8] = a[9] = a[10] = 1;
        if (mesh.HasVertexColors(0)) {
            const aiColor4D& c = mesh.mColors[0][v];
            for (std::size_t k = 0; k < 3; ++k) {
                const float value =
                    std::clamp(finite_or_zero(c[static_cast<unsigned>(k)]), 0.0f, 1.0f);
                a[8 + k] = settings_.srgb_colours ? linear_from_srgb(value) : value;
            }
            out_.has_colours = true;
        }
        if (!deformations_.empty()) key.deformation = deformations_[v];
        return key;
    }

    unsigned uv_set(const aiMesh& mesh) const {
        const auto& sets = settings_.uv_channel;
        const int set = mesh.mMaterialIndex < sets.size() ? sets[mesh.mMaterialIndex] : 0;
        return set > 0 && mesh.HasTextureCoords(static_cast<unsigned>(set))
                   ? static_cast<unsigned>(set)
                   : 0;
    }

    // Meshes of one node are one part: a node has one mesh per material.
    std::int32_t part_number(const Instance& instance) {
        if (instance.node == last_node_)
            return static_cast<std::int32_t>(out_.part_names.size()) - 1;
        last_node_ = instance.node;
        std::string name = instance.node->mName.C_Str();
        if (name.empty()) name = instance.mesh->mName.C_Str();
        if (name.empty()) name = "part " + std::to_string(out_.part_names.size() + 1);
        out_.part_names.push_back(name);
        return static_cast<std::int32_t>(out_.part_names.size()) - 1;
    }

    // Normals are transformed by the cofactors of the matrix, which is its inverse transpose up to
    // a factor.
    void place_normals() {
        std::size_t at = 0;
        for (const Part& part : out_.parts)
            pose_.for_each(part.instance, part.vertices, [&](unsigned, const Pose::Placed& placed) {
                const aiMatrix4x4& m = placed.transform;
                const aiVector3D x(m.a1, m.b1, m.c1), y(m.a2, m.b2, m.c2), z(m.a3, m.b3, m.c3);
                const aiVector3D yz = y ^ z, zx = z ^ x, xy = x ^ y;
                const float sign = x * yz < 0 ? -1.0f : 1.0f;
                float* const n = &out_.normals[at];
                const aiVector3D turned = (yz * n[0] + zx * n[1] + xy * n[2]) * sign;
                n[0] = turned.x, n[1] = turned.y, n[2] = turned.z;
                at += 3;
            });
    }

    const aiScene& scene_;
    const Pose& pose_;
    const MergeSettings& settings_;
    MergedMesh out_;
    std::size_t points_ = 0, first_ = 0;
    const aiNode* last_node_ = nullptr;
    // For the instance that is being added.
    std::vector<std::uint32_t> corner_;
    std::vector<std::uint64_t> deformations_;
    std::unordered_map<VertexKey, std::uint32_t, HashKey> numbers_;
};

}  // namespace

MergedMesh merge(const aiScene& scene, const Pose& pose, const MergeSettings& settings) {
    return Merger(scene, pose, settings).merge();
}

std::vector<float> positions_of(const MergedMesh& mesh, const Pose& pose) {
    std::vector<float> out;
    for (const Part& part : mesh.parts)
        pose.for_each(part.instance, part.vertices, [&](unsigned, const Pose::Placed& placed) {
            const aiVector3D p = placed.transform * placed.position;
            out.insert(out.end(), {p.x, p.y, p.z});
        });
    return out;
}

}  // namespace ringlet
