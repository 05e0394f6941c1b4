#include "session/draw.h"

#include "collide/collider.h"
#include "collide/mesh_body.h"
#include "session/debug_view.h"
#include "strand/deferred_positions.h"

namespace ringlet {

namespace {

// Skips a collider that is the mesh on which the hair grows, which is drawn in any case.
void add_collider(std::size_t k, const Actor& actor, Picture& out) {
    const Collider& collider = actor.scene.world.colliders[k];
    const PlacedCollider placed = place(collider, actor.displayed.head, actor.displayed.head);
    if (collider.shape != ColliderShape::mesh)
        out.shapes.push_back(drawn_shape(placed, actor.to_world));
    else if (collider.body && !collider.mesh.file.empty()) {
        const bool deforms = collider.shapes && k < actor.displayed.colliders.size();
        const Mesh& mesh = deforms ? actor.displayed.colliders[k] : collider.body->surface();
        out.meshes.push_back({&mesh, actor.to_world * placed.pose});
    }
}

}  // namespace

Picture picture_of(const Session& session) {
    const Session::Impl& impl = session.impl();
    Picture out;
    int strands = 0;
    for (const Actor& actor : impl.actors) {
        out.first_strands.push_back(strands);
        strands += actor.groom.strand_count();
        if (actor.displayed.head_mesh.triangle_count() > 0)
            out.meshes.push_back(
                {&actor.displayed.head_mesh, actor.to_world * actor.displayed.head});
        if (actor.fur)
            out.furs.push_back(actor.fur->view(actor.scene, actor.to_world, actor.displayed.head));
        if (actor.fur && impl.actors.size() == 1)
            out.body_scale = actor.fur->body_scale(actor.scene);
        if (!actor.scene.show_colliders) continue;
        for (std::size_t k = 0; k < actor.scene.world.colliders.size(); ++k)
            add_collider(k, actor, out);
    }
    out.strands = impl.view(impl.strands(When::displayed));
    out.camera = impl.scene.camera;
    out.light = impl.scene.light;
    out.settings = impl.scene.render;
    add_debug_view(impl, out);
    return out;
}

std::shared_ptr<const OpenShutter> open_shutter_of(const Picture& picture) {
    const auto out = std::make_shared<OpenShutter>();
    if (picture.strands.deferred) picture.strands.deferred->fetch();
    if (picture.strands.position) out->positions = picture.strands.position->read();
    for (const DrawnMesh& drawn : picture.meshes)
        out->meshes.push_back(
            {drawn.transform, drawn.mesh ? drawn.mesh->positions : std::vector<Vec3f>{}});
    out->camera = picture.camera;
    return out;
}

}  // namespace ringlet
