// Meshes that bodies are made of, read and measured once however many colliders and heads name
// them.
#pragma once

#include <map>
#include <tuple>

#include "collide/deforming_body.h"
#include "scene/scene.h"

namespace ringlet {

class ColliderMeshes {
public:
    // Gives every collider of shape mesh its body; `own` is the mesh hair grows on. An error names
    // the line of the collider.
    Result<void> fill(Scene& scene, const Mesh& own, const TaskPool& pool);

private:
    // Folder, file, group, scale, cell, thickness, sequence of shapes.
    using Key = std::tuple<std::string, std::string, std::string, float, float, float, std::string>;

    Result<std::shared_ptr<const MeshBody>> body_of(const Collider& collider, const Scene& scene,
                                                    const Mesh& own, const TaskPool& pool);

    std::map<Key, std::shared_ptr<const MeshBody>> known_;
};

}  // namespace ringlet
