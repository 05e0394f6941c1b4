#include "session/collider_source.h"

#include "session/scene_source.h"

namespace ringlet {

Result<void> ColliderMeshes::fill(Scene& scene, const Mesh& own, const TaskPool& pool) {
    for (Collider& collider : scene.world.colliders) {
        collider.body = nullptr;
        if (collider.shape != ColliderShape::mesh) continue;
        Result<std::shared_ptr<const MeshBody>> body = body_of(collider, scene, own, pool);
        if (!body) {
            const ColliderMesh& from = collider.mesh;
            return Error{"collider: " + body.error().text(),
                         from.scene.empty() ? scene.name : from.scene, from.line};
        }
        collider.body = std::move(*body);
    }
    return {};
}

Result<std::shared_ptr<const MeshBody>> ColliderMeshes::body_of(const Collider& collider,
                                                                const Scene& scene, const Mesh& own,
                                                                const TaskPool& pool) {
    const ColliderMesh& from = collider.mesh;
    const std::string& file = from.file.empty() ? scene.groom.mesh : from.file;
    if (file.empty()) return Error{"name its mesh by file, or set groom.mesh"};
    std::shared_ptr<const MeshBody>& known =
        known_[{scene.folder, file, from.group, from.scale, from.cell, from.thickness}];
    if (known) return known;
    Result<Mesh> mesh = from.file.empty() ? Result<Mesh>(own) : load_mesh(scene, "file", file);
    if (mesh) mesh = part_of_mesh(*mesh, from.group);
    if (!mesh) return mesh.error();
    for (Vec3f& p : mesh->positions) p = p * from.scale;
    Result<std::shared_ptr<const MeshBody>> made =
        MeshBody::make(std::move(*mesh), {from.cell, from.thickness}, pool);
    if (!made) return Error{file + ": " + made.error().text()};
    return known = *made;
}

}  // namespace ringlet
