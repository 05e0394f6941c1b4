// Loads the meshes of colliders. Each mesh is read and its distance field computed once, however
// many colliders and heads use it.
#pragma once

#include <map>
#include <tuple>

#include "collide/deforming_body.h"
#include "session/assets/groom_source.h"

namespace ringlet {

class ColliderMeshes {
public:
    // Loads the mesh of every collider of shape mesh, and its sequence of shapes if it has one.
    // `head` is the mesh the hair grows on. Appends what is assumed about the colliders' meshes. An
    // error names the collider's line in the scene file.
    Result<void> fill(Scene& scene, const HeadMesh& head, Messages& messages, const TaskPool& pool);

private:
    // The head (head_key()), file, group, scale, units, up, facing, cell, thickness; pattern,
    // frames per second and looping of the sequence; name and looping of the animation; whether the
    // mesh is separated at the neck.
    using Key =
        std::tuple<std::string, std::string, std::string, float, LengthUnit, SignedAxis, SignedAxis,
                   float, float, std::string, float, bool, std::string, bool, bool>;
    struct Known {
        std::shared_ptr<const MeshBody> body, shoulders;
        Messages messages{};
        std::weak_ptr<const MeshSequence> shapes;  // large, so freed with the last scene using it
        bool deforms = false;                      // there are shapes
    };

    Result<void> make(Collider& collider, const Scene& scene, const HeadMesh& head,
                      Messages& messages, const TaskPool& pool);

    std::map<Key, Known> known_;
};

}  // namespace ringlet
