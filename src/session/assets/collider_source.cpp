#include "session/assets/collider_source.h"

#include "session/assets/scene_source.h"
#include "session/assets/shape_source.h"

namespace ringlet {

namespace {

bool is_skin(const Collider& collider) { return collider.mesh.file.empty(); }

// A collider on the skin uses the head's sequence.
const SequenceFiles& sequence_of(const Collider& collider, const Scene& scene) {
    return is_skin(collider) ? scene.world.head.sequence : collider.mesh.sequence;
}

Result<void> check_sequence(const Collider& collider) {
    if (collider.mesh.sequence.files.empty()) return {};
    if (collider.shape != ColliderShape::mesh)
        return Error{"sequence: only a mesh can change its shape; set shape = \"mesh\""};
    if (is_skin(collider))
        return Error{
            "sequence: set the collider's file; the mesh that hair grows on uses head.sequence"};
    return {};
}

Result<std::shared_ptr<const MeshSequence>> read_shapes(const Collider& collider,
                                                        const Scene& scene, const Mesh& mesh) {
    if (is_skin(collider)) return scene.world.shapes;
    const SequenceFiles& sequence = collider.mesh.sequence;
    Messages messages;
    Result<std::shared_ptr<const MeshSequence>> read = load_shapes(
        {sequence, scene.animation, scene.folder, collider.mesh.file, collider.mesh.file, false},
        mesh, messages);
    if (!read)
        return Error{(sequence.files.empty() ? "animation: " : "sequence: ") + read.error().text()};
    return read;
}

// Scales the shapes to metres.
std::shared_ptr<const MeshSequence> scaled(const MeshSequence& shapes, float scale) {
    auto out = std::make_shared<MeshSequence>(shapes);
    for (std::vector<Vec3f>& frame : out->frames)
        for (Vec3f& p : frame) p = p * scale;
    return out;
}

}  // namespace

Result<void> ColliderMeshes::fill(Scene& scene, const Mesh& own, const TaskPool& pool) {
    for (Collider& collider : scene.world.colliders) {
        collider.body = nullptr;
        collider.shapes = nullptr;
        Result<void> done = check_sequence(collider);
        if (done && collider.shape == ColliderShape::mesh) done = make(collider, scene, own, pool);
        if (done) continue;
        const ColliderMesh& from = collider.mesh;
        return Error{"collider: " + done.error().text(),
                     from.scene.empty() ? scene.name : from.scene, from.line};
    }
    return {};
}

Result<void> ColliderMeshes::make(Collider& collider, const Scene& scene, const Mesh& own,
                                  const TaskPool& pool) {
    const ColliderMesh& from = collider.mesh;
    const std::string& file = is_skin(collider) ? scene.groom.mesh : from.file;
    if (file.empty()) return Error{"a mesh collider needs a mesh; set its file, or groom.mesh"};
    const SequenceFiles& sequence = sequence_of(collider, scene);
    Known& known = known_[{scene.folder, file, from.group, from.scale, from.cell, from.thickness,
                           sequence.files, sequence.fps, sequence.loops, scene.animation.name,
                           scene.animation.loops}];
    collider.body = known.body;
    collider.shapes = known.shapes.lock();
    if (collider.body && (collider.shapes || !known.deforms)) return {};
    Result<Mesh> mesh = is_skin(collider) ? Result<Mesh>(own) : load_mesh(scene, "file", file);
    if (!mesh) return mesh.error();
    const Result<std::shared_ptr<const MeshSequence>> shapes = read_shapes(collider, scene, *mesh);
    if (!shapes) return shapes.error();
    mesh = part_of_mesh(*mesh, from.group);
    if (!mesh) return mesh.error();
    MeshBodySettings settings{from.cell, from.thickness};
    known.deforms = *shapes != nullptr;
    if (*shapes) {
        known.shapes = collider.shapes = scaled(**shapes, from.scale);
        settings.samples = DeformingBody::kUsualSamples;
        settings.room = DeformingBody::bounds_of_all(*collider.shapes);
        collider.shapes->positions_at(0, mesh->positions);
    } else {
        for (Vec3f& p : mesh->positions) p = p * from.scale;
    }
    Result<std::shared_ptr<const MeshBody>> made = MeshBody::make(std::move(*mesh), settings, pool);
    if (!made) return Error{file + ": " + made.error().text()};
    known.body = collider.body = *made;
    return {};
}

}  // namespace ringlet
