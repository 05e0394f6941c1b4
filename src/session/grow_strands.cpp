#include "fit/repair.h"
#include "groom/grow.h"
#include "ringlet/grow.h"
#include "ringlet/jobs.h"
#include "scene/read_scene.h"
#include "session/assets/groom_source.h"
#include "session/boundary.h"
#include "session/groom_arrays.h"
#include "sim_api/check_input.h"
#include "sim_api/convert_input.h"

namespace ringlet {

namespace {

// The mesh in messages.
constexpr const char* kMesh = "arrays";

Result<Scene> read_settings(const GrowOptions& options) {
    const std::string text = std::string("groom.mesh = \"") + kMesh + "\"";
    Result<Scene> scene =
        read_scene(text, "grow_strands", ".", options.settings, builtin_scene_text);
    if (!scene) return scene;
    if (scene->groom.mesh != kMesh)
        return Error{"groom.mesh: the mesh is an argument of grow_strands()"};
    if (is_imported(*scene)) return Error{"groom.file: strands of a file do not grow"};
    return scene;
}

// A mesh without materials, groups and texture coordinates.
Mesh plain_mesh(const SimMesh& from) {
    Mesh out = to_mesh(from);
    out.uvs.resize(out.positions.size());
    out.triangle_material.assign(out.indices.size() / 3, -1);
    out.triangle_group.assign(out.indices.size() / 3, -1);
    return out;
}

}  // namespace

Result<GroomArrays> grow_strands(const SimMesh& mesh, const GrowOptions& options,
                                 const Listener& listener) try {
    if (options.threads < 0) return Error{"GrowOptions::threads must not be negative"};
    if (const Result<void> fine = check_mesh(mesh, "positions", "triangles"); !fine)
        return fine.error();
    const Result<Scene> scene = read_settings(options);
    if (!scene) return scene.error();
    const Result<GroomMaps> maps = load_maps(*scene);
    if (!maps) return maps.error();
    TaskPool pool(options.threads);
    const StopScope stop(pool, listener);
    HeadMesh head{plain_mesh(mesh)};
    if (const Result<void> done = repair_mesh(head.mesh, "the mesh", head.messages); !done)
        return done.error();
    Messages messages = head.messages;
    Result<StrandSet> strands = load_groom(*scene, *maps, head, messages, pool);
    if (!strands) return strands.error();
    paint(scene->groom, *maps, *strands, pool);
    GroomArrays out = to_arrays(view_of(*strands), {});
    out.assumptions = std::move(messages.assumptions);
    out.warnings = std::move(messages.warnings);
    return out;
} catch (...) {
    return error_from_exception();
}

}  // namespace ringlet
