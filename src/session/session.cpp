#include "ringlet/session.h"

#include <map>

#include "session/parts.h"
#include "session/scene_source.h"
#include "session/shape_source.h"

namespace ringlet {

namespace {

Mesh with_tinted_scalp(Mesh body, const GroomSettings& groom, const FurSettings& fur) {
    const bool furry = fur.style != FurStyle::none;
    if (groom.strands == 0 && !furry) return body;
    if (furry && body.materials.empty()) {
        body.materials.push_back({"skin"});
        body.triangle_material.assign(body.indices.size() / 3, 0);
    }
    for (Material& material : body.materials)
        if (material.name == groom.scalp || (furry && groom.scalp.empty()))
            material.colour += (groom.colour.root - material.colour) * groom.scalp_tint;
    return body;
}

// Meshes as they are asked for, each read once.
class Bodies {
public:
    Result<std::shared_ptr<Body>> of(const Scene& scene, const Listener& listener) {
        std::shared_ptr<Body>& known = known_[{scene.folder, scene.groom.mesh}];
        if (known) return known;
        Result<Mesh> mesh = load_body(scene);
        if (!mesh) return mesh.error();
        for (const std::string& warning : mesh->warnings)
            listener.say(scene.groom.mesh + ": " + warning);
        known = std::make_shared<Body>(Body{std::move(*mesh)});
        return known;
    }

private:
    std::map<std::pair<std::string, std::string>, std::shared_ptr<Body>> known_;
};

}  // namespace

Session::Session(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Result<Session> Session::open(const std::string& scene, const SessionOptions& options,
                              const Listener& listener) {
    Result<Scene> loaded = load_scene(scene, options.overrides);
    if (!loaded) return loaded.error();
    Result<std::vector<Scene>> heads = load_actors(*loaded, options.overrides);
    if (!heads) return heads.error();
    auto parts = std::make_unique<Parts>();
    parts->scene = std::move(*loaded);
    parts->options = options;
    parts->pool = TaskPool(options.threads);
    Bodies bodies;
    int strands = 0;
    double vertices = 0;
    for (std::size_t k = 0; k < heads->size(); ++k) {
        Actor& actor = parts->actors.emplace_back();
        actor.scene = std::move((*heads)[k]);
        if (!parts->scene.actors.empty()) actor.place = place_of(parts->scene.actors[k]);
        Result<std::shared_ptr<Body>> body = bodies.of(actor.scene, listener);
        if (!body) return parts->located(k, body.error());
        actor.body = *body;
        Result<std::shared_ptr<const MeshSequence>> shapes =
            load_shapes(actor.scene, actor.body->mesh);
        if (!shapes) return parts->located(k, shapes.error());
        actor.scene.world.shapes = *shapes;
        actor.drawn_body = with_tinted_scalp(actor.body->mesh, actor.scene.groom, actor.scene.fur);
        strands += actor.scene.groom.strands;
        vertices += vertices_grown(actor.scene.groom);
    }
    if (vertices > 1e6) listener.say("growing " + std::to_string(strands) + " strands");
    const Result<void> built = parts->rebuild();
    if (!built) return built.error();
    return Session(std::move(parts));
}

void Session::step() { parts_->step(); }
void Session::reset() { parts_->restart(); }
double Session::time() const { return parts_->time(); }
int Session::strand_count() const { return parts_->groom().strand_count(); }
int Session::vertex_count(int strand) const { return parts_->groom().layout->vertex_count(strand); }

std::vector<float> Session::positions() const {
    std::vector<float> out;
    Channel<3> all;
    parts_->present_strands(all);
    for (const Vec3f& p : unpack(all)) out.insert(out.end(), {p.x, p.y, p.z});
    return out;
}

std::string Session::hash() const {
    const std::vector<Actor>& actors = parts_->actors;
    if (actors.size() == 1) return actors.front().hash().hex();
    Hash all;
    for (const Actor& actor : actors) {
        const std::uint64_t own = actor.hash().value();
        all.add(static_cast<std::uint32_t>(own));
        all.add(static_cast<std::uint32_t>(own >> 32));
    }
    return all.hex();
}

}  // namespace ringlet
