#include "session/assets/collider_source.h"

#include <fmt/format.h>

#include "fit/choose_placement.h"
#include "session/assets/builtin_cache.h"
#include "session/assets/head_source.h"
#include "session/assets/resources.h"
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
                                                        const Scene& scene, const Mesh& mesh,
                                                        Messages& messages) {
    if (is_skin(collider)) return scene.world.shapes;
    const SequenceFiles& sequence = collider.mesh.sequence;
    Result<std::shared_ptr<const MeshSequence>> read = load_shapes(
        {sequence, scene.animation, scene.folder, collider.mesh.file, collider.mesh.file, false},
        mesh, messages);
    if (!read)
        return Error{(sequence.files.empty() ? "animation: " : "sequence: ") + read.error().text()};
    return read;
}

// A mesh that is larger than a house or smaller than a fingertip is not in metres.
bool is_plausible(const Mesh& mesh) {
    const Vec3f size = bounds_of(mesh).high - bounds_of(mesh).low;
    const float extent = max(size.x, max(size.y, size.z));
    return extent < 50 && extent > 0.01f;
}

bool states_placement(const ColliderMesh& from) {
    return from.units != LengthUnit::automatic || from.up != SignedAxis::automatic ||
           from.facing != SignedAxis::automatic;
}

// The collider's own keys come first. A collider from the head's own file is placed like the head.
// Another one whose size is not plausible in metres is taken to have the unit and axes of the
// head's file.
Result<Placement> placement_of(const Collider& collider, const Mesh& mesh, const Scene& scene,
                               const HeadMesh& head, Messages& messages) {
    const ColliderMesh& from = collider.mesh;
    Placement stated;
    stated.scale = from.scale;
    if (states_placement(from) && is_skin(collider))
        return Error{
            "units, up, facing: set the collider's file; the mesh that hair grows on is placed by "
            "groom.mesh_units, groom.mesh_up and groom.mesh_facing"};
    if (states_placement(from))
        return stated_placement({.units = from.units,
                                 .scale = from.scale == 1 ? 0 : from.scale,
                                 .up = from.up,
                                 .facing = from.facing},
                                {from.file, "units", "scale", "up", "facing"});
    // The skin is placed already.
    if (is_skin(collider) || from.scale != 1 || from.file.starts_with(kBuiltin)) return stated;
    if (from.file == scene.groom.mesh) return head.placement;
    if (is_plausible(mesh)) return Placement{};
    if (head.placement.is_identity()) {
        messages.warnings.push_back({"the collider's mesh has an implausible size in metres",
                                     from.file, "set collider.units"});
        return Placement{};
    }
    messages.assumptions.push_back(from.file +
                                   ": taken to have the unit and axes of groom.mesh (set "
                                   "collider.units, collider.up, collider.facing)");
    return head.placement;
}

Result<MeshBodies> whole_body(Mesh mesh, const MeshBodySettings& settings, const TaskPool& pool) {
    Result<std::shared_ptr<const MeshBody>> made = MeshBody::make(std::move(mesh), settings, pool);
    if (!made) return made.error();
    return MeshBodies{*made, nullptr};
}

float box_volume(const Mesh& mesh) {
    Mesh used;
    for (const std::uint32_t corner : mesh.indices)
        used.positions.push_back(mesh.positions[corner]);
    const Vec3f size = bounds_of(used).high - bounds_of(used).low;
    return size.x * size.y * size.z;
}

// The grids of both parts together have about as many samples as that of the whole mesh.
Result<MeshBodies> bodies_at_neck(const Neck& neck, const Mesh& mesh,
                                  const MeshBodySettings& settings, const TaskPool& pool) {
    NeckParts parts = split_at_neck(neck, mesh);
    if (parts.head.indices.empty() || parts.shoulders.indices.empty()) {
        const bool is_head = parts.shoulders.indices.empty();
        Result<MeshBodies> one = whole_body(mesh, settings, pool);
        if (one && !is_head) std::swap(one->body, one->shoulders);
        return one;
    }
    const float whole = box_volume(mesh);
    const auto make = [&](Mesh part) {
        MeshBodySettings own = settings;
        if (whole > 0) own.samples *= static_cast<double>(box_volume(part) / whole);
        return MeshBody::make(std::move(part), own, pool);
    };
    const Result<std::shared_ptr<const MeshBody>> head = make(std::move(parts.head));
    if (!head) return head.error();
    const Result<std::shared_ptr<const MeshBody>> shoulders = make(std::move(parts.shoulders));
    if (!shoulders) return shoulders.error();
    return MeshBodies{*head, *shoulders};
}

// Identifies the bodies of a built-in mesh that does not deform; empty for all others.
std::string builtin_key(const Collider& collider, const Scene& scene, bool deforms,
                        bool is_separate) {
    const ColliderMesh& from = collider.mesh;
    const bool is_builtin = scene.groom.mesh.starts_with(kBuiltin) &&
                            (is_skin(collider) || from.file.starts_with(kBuiltin));
    if (!is_builtin || deforms) return {};
    const Vec3f pivot = is_separate ? scene.world.head.pivot : Vec3f{0, 0, 0};
    return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{},{},{}|{}", head_key(scene), from.file,
                       from.group, from.scale, word_of(from.units), word_of(from.up),
                       word_of(from.facing), from.cell, from.thickness, pivot.x, pivot.y, pivot.z,
                       is_separate);
}

}  // namespace

Result<void> ColliderMeshes::fill(Scene& scene, const HeadMesh& head, Messages& messages,
                                  const TaskPool& pool) {
    for (Collider& collider : scene.world.colliders) {
        collider.body = nullptr;
        collider.shoulders = nullptr;
        collider.shapes = nullptr;
        Result<void> done = check_sequence(collider);
        if (done && collider.shape == ColliderShape::mesh)
            done = make(collider, scene, head, messages, pool);
        if (done) continue;
        const ColliderMesh& from = collider.mesh;
        return Error{"collider: " + done.error().text(),
                     from.scene.empty() ? scene.name : from.scene, from.line};
    }
    return {};
}

Result<void> ColliderMeshes::make(Collider& collider, const Scene& scene, const HeadMesh& head,
                                  Messages& messages, const TaskPool& pool) {
    const ColliderMesh& from = collider.mesh;
    const std::string& file = is_skin(collider) ? scene.groom.mesh : from.file;
    if (file.empty()) return Error{"a mesh collider needs a mesh; set its file, or groom.mesh"};
    const SequenceFiles& sequence = sequence_of(collider, scene);
    const bool is_separate = is_skin(collider) && scene.world.neck && collider.attached;
    Known& known =
        known_[{head_key(scene), file, from.group, from.scale, from.units, from.up, from.facing,
                from.cell, from.thickness, sequence.files, sequence.fps, sequence.loops,
                scene.animation.name, scene.animation.loops, is_separate}];
    collider.body = known.body;
    collider.shoulders = known.shoulders;
    collider.shapes = known.shapes.lock();
    if ((collider.body || collider.shoulders) && (collider.shapes || !known.deforms)) {
        messages.add(known.messages);
        return {};
    }
    Result<Mesh> mesh =
        is_skin(collider) ? Result<Mesh>(head.mesh) : load_mesh(scene, "file", file);
    if (!mesh) return mesh.error();
    known.messages = {};
    const Result<Placement> placement = placement_of(collider, *mesh, scene, head, known.messages);
    if (!placement) return placement.error();
    const Result<std::shared_ptr<const MeshSequence>> shapes =
        read_shapes(collider, scene, *mesh, known.messages);
    if (!shapes) return shapes.error();
    messages.add(known.messages);
    mesh = part_of_mesh(*mesh, from.group);
    if (!mesh) return mesh.error();
    place(*placement, *mesh);
    MeshBodySettings settings{from.cell, from.thickness};
    known.deforms = *shapes != nullptr;
    if (*shapes) {
        known.shapes = collider.shapes = placed_shapes(*shapes, *placement);
        settings.samples = DeformingBody::kUsualSamples;
        settings.room = DeformingBody::bounds_of_all(*collider.shapes);
        collider.shapes->positions_at(0, mesh->positions);
    }
    const std::string key = builtin_key(collider, scene, known.deforms, is_separate);
    std::optional<MeshBodies> bodies = builtin_bodies().find(key);
    if (!bodies) {
        const Result<MeshBodies> made =
            is_separate ? bodies_at_neck(*scene.world.neck, *mesh, settings, pool)
                        : whole_body(std::move(*mesh), settings, pool);
        if (!made) return Error{file + ": " + made.error().text()};
        bodies = *made;
        if (!key.empty()) builtin_bodies().add(key, *bodies);
    }
    known.body = collider.body = bodies->body;
    known.shoulders = collider.shoulders = bodies->shoulders;
    return {};
}

}  // namespace ringlet
