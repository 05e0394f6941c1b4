#include "session/assets/head_source.h"

#include <fmt/format.h>

#include <filesystem>

#include "fit/head_parts.h"
#include "fit/repair.h"
#include "session/assets/resources.h"

namespace ringlet {

Result<void> prepare_head(const Scene& scene, HeadMesh& head) {
    const GroomSettings& groom = scene.groom;
    Mesh& mesh = head.mesh;
    if (mesh.triangle_count() == 0) return {};
    const std::string file = std::filesystem::path(groom.mesh).filename().string();
    const PlacementNames names{file, "groom.mesh_units", "groom.mesh_scale", "groom.mesh_up",
                               "groom.mesh_facing"};
    if (groom.mesh.starts_with(kBuiltin)) {
        const Result<Placement> placement = stated_placement(groom.placement, names);
        if (!placement) return placement.error();
        head.placement = *placement;
    } else {
        Result<void> repaired = repair_mesh(mesh, file, head.messages);
        if (!repaired) return repaired;
        Result<std::vector<bool>> parts =
            choose_head_parts(mesh, groom.mesh_part, "groom.mesh_part", file, head.messages);
        if (!parts) return parts.error();
        mesh.grows_hair = std::move(*parts);
        const Result<Placement> placement = choose_placement(
            mesh, {mesh.grows_hair}, groom.placement, stated_axes(mesh), names, head.messages);
        if (!placement) return placement.error();
        head.placement = *placement;
    }
    place(head.placement, mesh);
    return {};
}

std::string head_key(const Scene& scene) {
    const PlacementSettings& p = scene.groom.placement;
    return fmt::format("{}|{}|{}|{}|{}|{}|{}|{},{},{}|{},{},{}", scene.folder, scene.groom.mesh,
                       scene.groom.mesh_part, word_of(p.units), p.scale, word_of(p.up),
                       word_of(p.facing), p.rotate_degrees.x, p.rotate_degrees.y,
                       p.rotate_degrees.z, p.offset.x, p.offset.y, p.offset.z);
}

std::shared_ptr<const MeshSequence> placed_shapes(std::shared_ptr<const MeshSequence> shapes,
                                                  const Placement& placement) {
    if (!shapes || placement.is_identity()) return shapes;
    auto out = std::make_shared<MeshSequence>(*shapes);
    for (std::vector<Vec3f>& frame : out->frames)
        for (Vec3f& p : frame) p = apply(placement, p);
    return out;
}

StatedAxes stated_axes(const Mesh& mesh) {
    return {mesh.file_unit_metres, vector_of(axis_near(mesh.file_up)),
            vector_of(axis_near(mesh.file_front))};
}

}  // namespace ringlet
