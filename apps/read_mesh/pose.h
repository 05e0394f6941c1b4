// The positions of a file's meshes at a moment: node transforms, animation, morph targets, skins.
#pragma once

#include <assimp/scene.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace ringlet {

// One use of a mesh by a node.
struct Instance {
    const aiNode* node = nullptr;
    const aiMesh* mesh = nullptr;
};

// All uses of meshes in the order of the nodes, parents first.
std::vector<Instance> instances_of(const aiScene& scene);

// The weights of the bones of a mesh by vertex. They add up to 1, or a vertex has none.
class SkinWeights {
public:
    explicit SkinWeights(const aiMesh& mesh);
    struct Influence {
        unsigned bone;
        float weight;
    };
    const Influence* begin(unsigned vertex) const { return influences_.data() + first_[vertex]; }
    const Influence* end(unsigned vertex) const { return influences_.data() + first_[vertex + 1]; }

private:
    std::vector<std::size_t> first_;  // per vertex, and the end
    std::vector<Influence> influences_;
};

// Refers to the scene, which must outlive it.
class Pose {
public:
    // `uses_morph_weights`: the weights of morph targets that the file gives at rest are valid.
    Pose(const aiScene& scene, bool uses_morph_weights);

    // The pose of the nodes as stored, without animation.
    void set_rest();
    void set(const aiAnimation& animation, double seconds);

    // The transform of the node, from the mesh to the scene.
    const aiMatrix4x4& to_scene(const aiNode& node) const { return to_scene_.at(&node); }
    // Transform of a vertex, and its position in the mesh with morph targets applied.
    struct Placed {
        aiMatrix4x4 transform;
        aiVector3D position;
    };
    // Calls `visit(vertex, Placed)` for the given vertices of an instance.
    template <class Visit>
    void for_each(const Instance& instance, const std::vector<unsigned>& vertices,
                  const Visit& visit) const {
        const aiMesh& mesh = *instance.mesh;
        const aiMatrix4x4 own = to_scene(*instance.node);
        const std::vector<aiMatrix4x4> bones = bone_transforms(mesh, own);
        const std::vector<float> morphs = morph_weights(instance);
        const auto skin = skins_.find(&mesh);
        for (const unsigned vertex : vertices) {
            const aiVector3D at = morphed(mesh, morphs, vertex);
            if (skin == skins_.end() || skin->second.begin(vertex) == skin->second.end(vertex)) {
                visit(vertex, Placed{own, at});
                continue;
            }
            aiMatrix4x4 sum = zero();
            for (auto i = skin->second.begin(vertex); i != skin->second.end(vertex); ++i)
                add(sum, bones[i->bone], i->weight);
            visit(vertex, Placed{sum, at});
        }
    }

private:
    static aiMatrix4x4 zero() { return {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}; }
    static void add(aiMatrix4x4& sum, const aiMatrix4x4& matrix, float weight);
    static aiVector3D morphed(const aiMesh& mesh, const std::vector<float>& weights,
                              unsigned vertex);
    std::vector<aiMatrix4x4> bone_transforms(const aiMesh& mesh, const aiMatrix4x4& own) const;
    std::vector<float> morph_weights(const Instance& instance) const;
    void place(const aiNode& node, const aiMatrix4x4& parent, double ticks);

    const aiScene& scene_;
    bool uses_morph_weights_;
    std::unordered_map<const aiNode*, aiMatrix4x4> to_scene_;
    std::map<std::string, const aiNode*> by_name_;  // the first of several nodes with one name
    std::unordered_map<const aiMesh*, SkinWeights> skins_;
    // The channels of the animation, by the name of their node.
    std::map<std::string, const aiNodeAnim*> channels_;
    std::map<std::string, const aiMeshMorphAnim*> morph_channels_;
    double ticks_ = 0;
};

// The frames per second at which an animation is sampled: its own key rate, or a multiple of it,
// from 24 to 120.
double sampling_rate(const aiAnimation& animation);

}  // namespace ringlet
