#include "session/collider_source.h"

#include "session/scene_source.h"

namespace ringlet {

namespace {

// Whether it is the mesh hair grows on, and that changes its shape.
bool is_skin(const Collider& collider, const Scene& scene) {
    return collider.mesh.file.empty() && scene.world.shapes;
}

// In metres of the body's own frame.
std::shared_ptr<const MeshSequence> shapes_of(const Collider& collider, const MeshSequence& skin) {
    auto out = std::make_shared<MeshSequence>(skin);
    for (std::vector<Vec3f>& frame : out->frames)
        for (Vec3f& p : frame) p = p * collider.mesh.scale;
    return out;
}

}  // namespace

Result<void> ColliderMeshes::fill(Scene& scene, const Mesh& own, const TaskPool& pool) {
    for (Collider& collider : scene.world.colliders) {
        collider.body = nullptr;
        collider.shapes = nullptr;
        if (collider.shape != ColliderShape::mesh) continue;
        Result<std::shared_ptr<const MeshBody>> body = body_of(collider, scene, own, pool);
        if (!body) {
            const ColliderMesh& from = collider.mesh;
            return Error{"collider: " + body.error().text(),
                         from.scene.empty() ? scene.name : from.scene, from.line};
        }
        collider.body = std::move(*body);
        if (is_skin(collider, scene)) collider.shapes = shapes_of(collider, *scene.world.shapes);
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
        known_[{scene.folder, file, from.group, from.scale, from.cell, from.thickness,
                is_skin(collider, scene) ? scene.world.head.sequence : ""}];
    if (known) return known;
    Result<Mesh> mesh = from.file.empty() ? Result<Mesh>(own) : load_mesh(scene, "file", file);
    if (mesh) mesh = part_of_mesh(*mesh, from.group);
    if (!mesh) return mesh.error();
    MeshBodySettings settings{from.cell, from.thickness};
    if (is_skin(collider, scene)) {
        const auto shapes = shapes_of(collider, *scene.world.shapes);
        settings.samples = DeformingBody::kUsualSamples;
        settings.room = DeformingBody::room_of(*shapes);
        shapes->positions_at(0, mesh->positions);
    } else {
        for (Vec3f& p : mesh->positions) p = p * from.scale;
    }
    Result<std::shared_ptr<const MeshBody>> made = MeshBody::make(std::move(*mesh), settings, pool);
    if (!made) return Error{file + ": " + made.error().text()};
    return known = *made;
}

}  // namespace ringlet
