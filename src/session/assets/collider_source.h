// Loads the meshes of colliders. Each mesh is read and its distance field computed once, however
// many colliders and heads use it.
#pragma once

#include <map>
#include <tuple>

#include "collide/deforming_body.h"
#include "scene/scene.h"

namespace ringlet {

class ColliderMeshes {
public:
    // Loads the mesh of every collider of shape mesh, and its sequence of shapes if it has one.
    // `own` is the mesh the hair grows on. An error names the collider's line in the scene file.
    Result<void> fill(Scene& scene, const Mesh& own, const TaskPool& pool);

private:
    // Folder, file, group, scale, cell, thickness; pattern, frames per second and looping of the
    // sequence; name and looping of the animation.
    using Key = std::tuple<std::string, std::string, std::string, float, float, float, std::string,
                           float, bool, std::string, bool>;
    struct Known {
        std::shared_ptr<const MeshBody> body;
        std::weak_ptr<const MeshSequence> shapes;  // large, so freed with the last scene using it
        bool deforms = false;                      // there are shapes
    };

    Result<void> make(Collider& collider, const Scene& scene, const Mesh& own,
                      const TaskPool& pool);

    std::map<Key, Known> known_;
};

}  // namespace ringlet
