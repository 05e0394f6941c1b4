#include "pose.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "scene_file.h"

namespace ringlet {

namespace {

void add_instances(const aiScene& scene, const aiNode& node, std::vector<Instance>& out) {
    for (unsigned i = 0; i < node.mNumMeshes; ++i)
        if (node.mMeshes[i] < scene.mNumMeshes)
            out.push_back({&node, scene.mMeshes[node.mMeshes[i]]});
    for (unsigned i = 0; i < node.mNumChildren; ++i) add_instances(scene, *node.mChildren[i], out);
}

void add_names(const aiNode& node, std::map<std::string, const aiNode*>& out) {
    out.try_emplace(node.mName.C_Str(), &node);
    for (unsigned i = 0; i < node.mNumChildren; ++i) add_names(*node.mChildren[i], out);
}

// The keys on both sides of a time, and the share of the second.
struct Between {
    unsigned first, second;
    float t;
};

template <class Key>
Between between(const Key* keys, unsigned count, double ticks) {
    const Key* const after = std::upper_bound(
        keys, keys + count, ticks, [](double time, const Key& key) { return time < key.mTime; });
    if (after == keys) return {0, 0, 0};
    const auto first = static_cast<unsigned>(after - keys - 1);
    if (after == keys + count) return {first, first, 0};
    const double span = keys[first + 1].mTime - keys[first].mTime;
    return {first, first + 1,
            span > 0 ? static_cast<float>((ticks - keys[first].mTime) / span) : 0.0f};
}

aiVector3D value_at(const aiVectorKey* keys, unsigned count, double ticks, aiVector3D otherwise) {
    if (count == 0) return otherwise;
    const auto [first, second, t] = between(keys, count, ticks);
    return keys[first].mValue + (keys[second].mValue - keys[first].mValue) * t;
}

aiQuaternion value_at(const aiQuatKey* keys, unsigned count, double ticks, aiQuaternion otherwise) {
    if (count == 0) return otherwise;
    const auto [first, second, t] = between(keys, count, ticks);
    aiQuaternion out;
    aiQuaternion::Interpolate(out, keys[first].mValue, keys[second].mValue, t);
    return out.Normalize();
}

// Properties without keys keep the value of the node.
aiMatrix4x4 local_at(const aiNodeAnim& channel, const aiNode& node, double ticks) {
    aiVector3D scale, position;
    aiQuaternion rotation;
    node.mTransformation.Decompose(scale, rotation, position);
    return {value_at(channel.mScalingKeys, channel.mNumScalingKeys, ticks, scale),
            value_at(channel.mRotationKeys, channel.mNumRotationKeys, ticks, rotation),
            value_at(channel.mPositionKeys, channel.mNumPositionKeys, ticks, position)};
}

// The weight that a key gives to a target; false if it gives none. Assimp 5.2 misreads keys of
// cubic splines with several targets: it returns three weights per target less two, in which those
// of the key itself begin at index targets - 1.
bool weight_in(const aiMeshMorphKey& key, unsigned target, unsigned targets, double& weight) {
    if (targets > 1 && key.mNumValuesAndWeights == 3 * targets - 2) {
        weight = key.mWeights[targets - 1 + target];
        return true;
    }
    for (unsigned i = 0; i < key.mNumValuesAndWeights; ++i) {
        if (key.mValues[i] != target) continue;
        weight = key.mWeights[i];
        return true;
    }
    return false;
}

// Keys of FBX name only the targets that change there.
float weight_at(const aiMeshMorphAnim& channel, unsigned target, unsigned targets, double ticks,
                float otherwise) {
    double before_time = 0, before = 0, value = 0;
    bool any = false;
    for (unsigned k = 0; k < channel.mNumKeys; ++k) {
        const aiMeshMorphKey& key = channel.mKeys[k];
        if (!weight_in(key, target, targets, value)) continue;
        if (key.mTime >= ticks) {
            const double span = key.mTime - before_time;
            if (!any || span <= 0) return static_cast<float>(value);
            return static_cast<float>(before + (value - before) * (ticks - before_time) / span);
        }
        any = true;
        before = value;
        before_time = key.mTime;
    }
    return any ? static_cast<float>(before) : otherwise;
}

template <class Key>
void raise_rate(const Key* keys, unsigned count, double ticks_per_second, double& rate) {
    if (count < 2) return;
    const double span = (keys[count - 1].mTime - keys[0].mTime) / ticks_per_second;
    if (span > 0) rate = std::max(rate, (count - 1) / span);
}

}  // namespace

std::vector<Instance> instances_of(const aiScene& scene) {
    std::vector<Instance> out;
    add_instances(scene, *scene.mRootNode, out);
    return out;
}

SkinWeights::SkinWeights(const aiMesh& mesh) : first_(mesh.mNumVertices + std::size_t{1}, 0) {
    std::vector<float> sums(mesh.mNumVertices, 0);
    const auto visit = [&](const auto& use) {
        for (unsigned b = 0; b < mesh.mNumBones; ++b)
            for (unsigned i = 0; i < mesh.mBones[b]->mNumWeights; ++i) {
                const aiVertexWeight& at = mesh.mBones[b]->mWeights[i];
                if (at.mVertexId < mesh.mNumVertices && at.mWeight > 0)
                    use(b, at.mVertexId, at.mWeight);
            }
    };
    visit([&](unsigned, unsigned vertex, float weight) {
        ++first_[vertex + std::size_t{1}];
        sums[vertex] += weight;
    });
    for (std::size_t v = 0; v < mesh.mNumVertices; ++v) first_[v + 1] += first_[v];
    influences_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    visit([&](unsigned bone, unsigned vertex, float weight) {
        influences_[next[vertex]++] = {bone, weight / sums[vertex]};
    });
}

Pose::Pose(const aiScene& scene, bool uses_morph_weights)
    : scene_(scene), uses_morph_weights_(uses_morph_weights) {
    add_names(*scene.mRootNode, by_name_);
    for (unsigned m = 0; m < scene.mNumMeshes; ++m)
        if (scene.mMeshes[m]->HasBones())
            skins_.try_emplace(scene.mMeshes[m], SkinWeights(*scene.mMeshes[m]));
    set_rest();
}

void Pose::set_rest() {
    channels_.clear();
    morph_channels_.clear();
    place(*scene_.mRootNode, aiMatrix4x4(), 0);
}

void Pose::set(const aiAnimation& animation, double seconds) {
    channels_.clear();
    morph_channels_.clear();
    for (unsigned c = 0; c < animation.mNumChannels; ++c)
        channels_[animation.mChannels[c]->mNodeName.C_Str()] = animation.mChannels[c];
    for (unsigned c = 0; c < animation.mNumMorphMeshChannels; ++c) {
        // FBX adds "*" and the number of the geometry.
        std::string name = animation.mMorphMeshChannels[c]->mName.C_Str();
        name = name.substr(0, name.rfind('*'));
        morph_channels_[name] = animation.mMorphMeshChannels[c];
    }
    ticks_ = seconds * ticks_per_second(animation);
    place(*scene_.mRootNode, aiMatrix4x4(), ticks_);
}

void Pose::place(const aiNode& node, const aiMatrix4x4& parent, double ticks) {
    const auto channel = channels_.find(node.mName.C_Str());
    const aiMatrix4x4 own =
        parent * (channel == channels_.end() ? node.mTransformation
                                             : local_at(*channel->second, node, ticks));
    to_scene_[&node] = own;
    for (unsigned i = 0; i < node.mNumChildren; ++i) place(*node.mChildren[i], own, ticks);
}

void Pose::add(aiMatrix4x4& sum, const aiMatrix4x4& matrix, float weight) {
    for (unsigned row = 0; row < 4; ++row)
        for (unsigned column = 0; column < 4; ++column)
            sum[row][column] += weight * matrix[row][column];
}

aiVector3D Pose::morphed(const aiMesh& mesh, const std::vector<float>& weights, unsigned vertex) {
    aiVector3D out = mesh.mVertices[vertex];
    for (std::size_t m = 0; m < weights.size(); ++m) {
        const aiAnimMesh& target = *mesh.mAnimMeshes[m];
        if (weights[m] == 0 || !target.mVertices || target.mNumVertices != mesh.mNumVertices)
            continue;
        out += (target.mVertices[vertex] - mesh.mVertices[vertex]) * weights[m];
    }
    return out;
}

// A bone without a node does not move: its vertices stay with the mesh's own node.
std::vector<aiMatrix4x4> Pose::bone_transforms(const aiMesh& mesh, const aiMatrix4x4& own) const {
    std::vector<aiMatrix4x4> out;
    for (unsigned b = 0; b < mesh.mNumBones; ++b) {
        const auto node = by_name_.find(mesh.mBones[b]->mName.C_Str());
        out.push_back(node == by_name_.end()
                          ? own
                          : to_scene_.at(node->second) * mesh.mBones[b]->mOffsetMatrix);
    }
    return out;
}

std::vector<float> Pose::morph_weights(const Instance& instance) const {
    const aiMesh& mesh = *instance.mesh;
    std::vector<float> out(mesh.mNumAnimMeshes, 0);
    const auto channel = morph_channels_.find(instance.node->mName.C_Str());
    for (unsigned m = 0; m < mesh.mNumAnimMeshes; ++m) {
        if (uses_morph_weights_) out[m] = mesh.mAnimMeshes[m]->mWeight;
        if (channel != morph_channels_.end())
            out[m] = weight_at(*channel->second, m, mesh.mNumAnimMeshes, ticks_, out[m]);
    }
    return out;
}

double sampling_rate(const aiAnimation& animation) {
    constexpr double kLeast = 24, kMost = 120;
    const double ticks = ticks_per_second(animation);
    double rate = 0;
    for (unsigned c = 0; c < animation.mNumChannels; ++c) {
        const aiNodeAnim& channel = *animation.mChannels[c];
        raise_rate(channel.mPositionKeys, channel.mNumPositionKeys, ticks, rate);
        raise_rate(channel.mRotationKeys, channel.mNumRotationKeys, ticks, rate);
        raise_rate(channel.mScalingKeys, channel.mNumScalingKeys, ticks, rate);
    }
    for (unsigned c = 0; c < animation.mNumMorphMeshChannels; ++c)
        raise_rate(animation.mMorphMeshChannels[c]->mKeys,
                   animation.mMorphMeshChannels[c]->mNumKeys, ticks, rate);
    if (!(rate > 0)) return kLeast;
    return rate < kLeast ? rate * std::ceil(kLeast / rate) : std::min(rate, kMost);
}

}  // namespace ringlet
