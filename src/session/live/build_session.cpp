// Builds a session from a scene: loads assets, grows the hair and starts the simulation.
#include <algorithm>
#include <cmath>
#include <map>

#include "groom/growth.h"
#include "session/assets/environment_source.h"
#include "session/assets/growth_source.h"
#include "session/assets/head_source.h"
#include "session/assets/resources.h"
#include "session/assets/scene_source.h"
#include "session/assets/shape_source.h"
#include "session/boundary.h"
#include "session/live/framing.h"
#include "session/live/head_meshes.h"
#include "session/live/session_impl.h"

namespace ringlet {

namespace {

void tint(Material& material, Vec3f colour, float share) {
    material.colour += (colour - material.colour) * share;
    material.vertex_colours *= 1 - share;
}

// The scalp "auto" has no material of its own: gives each triangle a tinted copy of its material,
// in a few levels. The tint rises over several centimetres, so that the triangles of a coarse mesh
// do not draw a stepped line next to the hairline.
void tint_cap(Mesh& head, const GroomSettings& groom) {
    constexpr int kLevels = 32;
    constexpr float kRise = 0.05f;  // m
    const Hairline hairline(find_skull(head));
    if (head.materials.empty()) head.materials.push_back({"skin"});
    const std::vector<Material> plain = head.materials;
    std::map<std::pair<int, int>, int> tinted;  // by material and level
    for (int t = 0; t < head.triangle_count(); ++t) {
        if (!head.may_grow_hair(t)) continue;
        const Vec3f middle =
            (head.corner(t, 0) + head.corner(t, 1) + head.corner(t, 2)) * (1.0f / 3);
        const Vec3f normal = unit_or(area_normal(head, t), Vec3f{0, 1, 0});
        if (hairline.weight(middle, normal) <= 0) continue;
        const float rise = std::min(hairline.depth(middle) / kRise, 1.0f);
        const int level = static_cast<int>(std::lround(rise * kLevels));
        std::int32_t& material = head.triangle_material[static_cast<std::size_t>(t)];
        const int from = std::max(material, 0);
        const auto [found, is_new] =
            tinted.try_emplace({from, level}, static_cast<int>(head.materials.size()));
        if (is_new) {
            Material own = plain[static_cast<std::size_t>(from)];
            const float share = groom.scalp_tint * static_cast<float>(level) / kLevels;
            tint(own, groom.colour.root, share);
            head.materials.push_back(std::move(own));
        }
        material = found->second;
    }
}

// Whether the vertex colours say anything. Some exporters write white or black for every vertex.
bool has_drawn_colours(const Mesh& head, const GroomSettings& groom) {
    if (groom.scalp_colour != ColourChannel::none) return false;
    const auto are_all = [&](float value) {
        return std::ranges::all_of(head.colours, [value](Vec3f c) {
            return c.x == value && c.y == value && c.z == value;
        });
    };
    return !are_all(0) && !are_all(1);
}

// Draws the vertex colours of the file on triangles that have neither a texture nor a colour.
Mesh with_vertex_colours(Mesh head, const GroomSettings& groom) {
    if (!has_drawn_colours(head, groom)) return head;
    const auto is_unset = [](Vec3f c) {
        return c.x == c.y && c.y == c.z && (c.x == Material{}.colour.x || c.x == 1);
    };
    for (std::int32_t& material : head.triangle_material)
        if (material < 0) material = static_cast<std::int32_t>(head.materials.size());
    head.materials.push_back({"vertex colours"});
    for (Material& material : head.materials) {
        if (material.texture || !is_unset(material.colour)) continue;
        material.colour = {0, 0, 0};
        material.vertex_colours = 1;
    }
    return head;
}

// Blends the scalp's colour towards that of the roots, so that thin hair does not show bright skin.
Mesh with_tinted_scalp(Mesh head, const GroomSettings& groom, const FurSettings& fur) {
    const bool furry = fur.style != FurStyle::none;
    if (groom.strands == 0 && !furry) return head;
    if (furry && head.materials.empty()) {
        head.materials.push_back({"skin"});
        head.triangle_material.assign(head.indices.size() / 3, 0);
    }
    if (scalp_on(groom, head) == kAutoScalp) {
        tint_cap(head, groom);
        return head;
    }
    for (Material& material : head.materials)
        if (material.name == groom.scalp || (furry && groom.scalp.empty()))
            tint(material, groom.colour.root, groom.scalp_tint);
    return head;
}

constexpr const char* kFaultyMaterial =
    "correct the file's materials; the mesh is drawn without this one";

// Growing more vertices than this takes long enough to be announced.
constexpr double kAnnouncedVertices = 1e6;

}  // namespace

void HeadMeshes::add(const Actor& actor) { known_[head_key(actor.scene)] = actor.head_mesh; }

Result<std::shared_ptr<HeadMesh>> HeadMeshes::load(const Scene& scene) {
    std::shared_ptr<HeadMesh>& known = known_[head_key(scene)];
    if (known) return known;
    Result<Mesh> mesh = load_head_mesh(scene, is_stopped_);
    if (!mesh) return mesh.error();
    auto head = std::make_shared<HeadMesh>(HeadMesh{std::move(*mesh)});
    for (const std::string& warning : head->mesh.warnings)
        head->messages.warnings.push_back({warning, scene.groom.mesh, kFaultyMaterial});
    const Result<void> prepared = prepare_head(scene, *head);
    if (!prepared) return Error{"groom.mesh: " + prepared.error().text(), scene.name};
    if (!scene.groom.mesh.empty() && !scene.groom.mesh.starts_with(kBuiltin))
        head->landmarks = find_landmarks(head->mesh, {head->mesh.grows_hair});
    known = std::move(head);
    return known;
}

Result<void> load_assets(Actor& actor, HeadMeshes& meshes) {
    Result<std::shared_ptr<HeadMesh>> head = meshes.load(actor.scene);
    if (!head) return head.error();
    actor.head_mesh = *head;
    choose_motion_values(*actor.head_mesh, actor.scene);
    const Mesh& mesh = actor.head_mesh->mesh;
    const SequenceFiles& sequence = actor.scene.world.head.sequence;
    actor.shape_messages = {};
    const Result<std::shared_ptr<const MeshSequence>> shapes =
        load_shapes({sequence, actor.scene.animation, actor.scene.folder, actor.scene.groom.mesh,
                     "groom.mesh", true, meshes.is_stopped()},
                    mesh, actor.shape_messages);
    if (!shapes)
        return Error{(sequence.files.empty() ? "head.animation: " : "head.sequence: ") +
                         shapes.error().text(),
                     actor.scene.name};
    actor.scene.world.shapes = placed_shapes(*shapes, actor.head_mesh->placement);
    choose_neck(*actor.head_mesh, actor.scene, actor.shape_messages);
    actor.displayed.head_mesh = with_tinted_scalp(with_vertex_colours(mesh, actor.scene.groom),
                                                  actor.scene.groom, actor.scene.fur);
    return {};
}

Result<std::unique_ptr<Session::Impl>> Session::Impl::make(Scene scene,
                                                           const SessionOptions& options,
                                                           const Listener& listener) {
    Result<std::vector<Scene>> scenes = load_actors(scene, options.overrides);
    if (!scenes) return scenes.error();
    Result<std::shared_ptr<const EnvironmentMap>> environment = load_environment(scene);
    if (!environment) return environment.error();
    scene.light.map = std::move(*environment);
    for (const std::string& notice : all_notices(scene, *scenes)) listener.notify(notice);
    auto impl = std::make_unique<Impl>();
    impl->scene = std::move(scene);
    impl->options = options;
    impl->pool = TaskPool(options.threads);
    const StopScope stop(impl->pool, listener);
    HeadMeshes meshes(listener.stop_requested);
    int strands = 0;
    double vertices = 0;
    for (std::size_t k = 0; k < scenes->size(); ++k) {
        Actor& actor = impl->actors.emplace_back();
        actor.scene = std::move((*scenes)[k]);
        actor.keep_rest = options.keep_groom;
        if (impl->is_multi_actor()) actor.to_world = actor_to_world(impl->scene.actors[k]);
        const Result<void> loaded = load_assets(actor, meshes);
        if (!loaded) return impl->located(k, loaded.error());
        strands += actor.scene.groom.strands;
        vertices += vertices_grown(actor.scene.groom);
    }
    if (vertices > kAnnouncedVertices)
        listener.notify("growing " + std::to_string(strands) + " strands");
    const Result<void> built = impl->rebuild();
    // A wrong guess about the head may be the cause of the error.
    if (!built)
        for (const Actor& actor : impl->actors) impl->messages.add(actor.head_mesh->messages);
    for (const std::string& assumption : impl->messages.assumptions) listener.notify(assumption);
    for (const Warning& warning : impl->messages.warnings) listener.notify_of(warning);
    if (!built) return built.error();
    return impl;
}

}  // namespace ringlet
