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
    // Gives every collider of shape mesh its body, and its shapes where it has several; `own` is
    // the mesh hair grows on. An error names the line of the collider.
    Result<void> fill(Scene& scene, const Mesh& own, const TaskPool& pool);

private:
    // Folder, file, group, scale, cell, thickness; files of its shapes, frames per second, loops.
    using Key = std::tuple<std::string, std::string, std::string, float, float, float, std::string,
                           float, bool>;
    struct Known {
        std::shared_ptr<const MeshBody> body;
        std::weak_ptr<const MeshSequence> shapes;  // many positions: only while a scene has them
    };

    Result<void> make(Collider& collider, const Scene& scene, const Mesh& own,
                      const TaskPool& pool);

    std::map<Key, Known> known_;
};

}  // namespace ringlet
