#include "session/shot.h"

#include <fmt/format.h>

#include <algorithm>

#include "collide/collider.h"
#include "collide/mesh_body.h"
#include "geom/drawn_shape.h"
#include "session/live/session_impl.h"

namespace ringlet {

// A mesh of the shot and where its motion comes from.
struct ShotRecorder::Body {
    const Actor* actor;
    const Collider* collider = nullptr;  // null: the head
    Mesh own_mesh{};                     // triangles of a collider that is not a mesh
    std::vector<Vec3f> positions{};      // of a collider that deforms

    bool deforms() const {
        return collider ? collider->body && collider->shapes : actor->scene.world.shapes != nullptr;
    }
    bool moves() const { return !collider || collider->attached || collider->posed; }
    const Mesh& mesh() const {
        if (!collider) return actor->displayed.head_mesh;
        return collider->body ? collider->body->surface() : own_mesh;
    }
};

ShotRecorder::ShotRecorder(Session& session) : session_(session) {}
ShotRecorder::~ShotRecorder() = default;

namespace {

std::vector<ShotGroup> groups_of(const Session::Impl& impl) {
    std::vector<ShotGroup> out;
    int first = 0;
    for (const Actor& actor : impl.actors) {
        const int count = actor.groom.strand_count();
        const std::string name =
            impl.actors.size() == 1 ? "hair" : fmt::format("hair_{}", out.size());
        out.push_back(
            {name, first, count, actor.groom.children() ? actor.groom.simulated_count() : 0});
        first += count;
    }
    return out;
}

// The three lights of the renderer: key, rim opposite to it and above the horizon, and the soft
// light.
std::vector<ShotLight> lights_of(const Light& light) {
    const Vec3f key = unit_or(light.direction, Vec3f{0, 1, 0});
    return {
        {"Key", false, key, light.colour, light.key},
        {"Rim", false, {-key.x, std::max(key.y * 0.6f, 0.25f), -key.z}, light.colour, light.rim},
        {"Fill", true, {0, 1, 0}, {1, 1, 1}, light.fill}};
}

void apply_options(const ShotOptions& options, ShotDescription& shot) {
    shot.curve = options.linear ? ShotCurve::linear : ShotCurve::catmull_rom;
    shot.has_velocities = options.velocities && shot.frame_count > 1;
    shot.for_unreal = options.target == ShotTarget::unreal;
    if (shot.for_unreal) shot.axes = {0.01, true};
}

}  // namespace

// Skips colliders that are the mesh on which the hair grows.
void ShotRecorder::add_bodies() {
    const std::vector<Actor>& actors = session_.impl().actors;
    const auto add = [this](Body body, const std::string& name, bool is_drawn) {
        bodies_.push_back(std::make_unique<Body>(std::move(body)));
        const Body& made = *bodies_.back();
        shot_.meshes.push_back({name, &made.mesh(), made.deforms(), made.moves(), is_drawn});
    };
    for (std::size_t a = 0; a < actors.size(); ++a) {
        const Actor& actor = actors[a];
        const std::string ending = actors.size() == 1 ? "" : fmt::format("_{}", a);
        if (actor.displayed.head_mesh.triangle_count() > 0)
            add({.actor = &actor}, "head" + ending, true);
        int number = 0;
        for (const Collider& collider : actor.scene.world.colliders) {
            Body body{.actor = &actor, .collider = &collider};
            if (collider.shape == ColliderShape::mesh) {
                if (!collider.body || collider.mesh.file.empty()) continue;
            } else {
                const DrawnShape shape = drawn_shape(place(collider, {}, {}), {});
                if (shape.add_triangles) shape.add_triangles(shape, body.own_mesh);
                if (body.own_mesh.triangle_count() == 0) continue;
            }
            add(std::move(body), fmt::format("collider{}_{}", ending, number++),
                actor.scene.show_colliders);
        }
    }
}

ShotMeshPose ShotRecorder::pose_of(Body& body) const {
    const Actor& actor = *body.actor;
    const DisplayedActor& now = actor.displayed;
    if (!body.collider)
        return {actor.to_world * now.head,
                body.deforms() ? std::span(now.head_mesh.positions) : std::span<const Vec3f>()};
    if (!body.collider->body)
        return {body.moves() ? actor.to_world * now.head : actor.to_world, {}};
    if (body.deforms())
        body.collider->shapes->positions_at(
            now.time - static_cast<double>(actor.scene.world.head.delay), body.positions);
    return {actor.to_world * place(*body.collider, now.head, now.head).pose, body.positions};
}

Result<std::unique_ptr<ShotRecorder>> ShotRecorder::open(Session& session,
                                                         const std::string& output,
                                                         const ShotOptions& options,
                                                         int first_frame, int frame_count,
                                                         const OutputStart& start) {
    std::unique_ptr<ShotRecorder> out(new ShotRecorder(session));
    Session::Impl& impl = session.impl();
    const Record& record = impl.scene.record;
    ShotDescription& shot = out->shot_;
    shot.title = "ringlet " + impl.scene.name;
    shot.fps = static_cast<double>(record.fps);
    shot.first_frame = first_frame;
    shot.frame_count = frame_count;
    apply_options(options, shot);
    impl.collect_positions();
    shot.strands = impl.view(impl.strands(When::now));
    shot.root_uv = impl.root_uv();
    shot.groups = groups_of(impl);
    out->add_bodies();
    const Camera& camera = impl.scene.camera;
    shot.camera = ShotCamera{camera.eye, camera.target, camera.field_of_view_degrees,
                             static_cast<float>(record.width) / static_cast<float>(record.height)};
    shot.lights = lights_of(impl.scene.light);
    Result<std::unique_ptr<ShotWriter>> writer = shot_format_of(output)->open(output, shot, start);
    if (!writer) return writer.error();
    out->writer_ = std::move(*writer);
    if (out->writer_->has_written_appearance()) impl.release_appearance();
    impl.keep_previous(false);
    return out;
}

Result<void> ShotRecorder::add(int number) {
    Session::Impl& impl = session_.impl();
    ShotFrame frame;
    frame.number = number;
    const Strands strands = impl.strands(When::displayed);
    frame.positions = &strands.on_host();
    if (shot_.has_velocities) {
        if (velocities_.empty()) velocities_ = Channel<3>(impl.layout());
        impl.write_velocities(velocities_);
        frame.velocities = &velocities_;
    }
    for (const std::unique_ptr<Body>& body : bodies_) frame.meshes.push_back(pose_of(*body));
    Result<void> done = writer_->add_frame(frame);
    if (!done) return done;
    if (writer_->needs_memory_to_complete()) {
        velocities_ = {};
        impl.release_displayed((number + 1) / shot_.fps);
    }
    return writer_->complete_frame();
}

}  // namespace ringlet
