#include "session/control/control.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "collide/mesh_body.h"
#include "session/assets/growth_source.h"
#include "session/control/drag.h"
#include "session/debug_view.h"
#include "session/draw.h"
#include "session/live/framing.h"

namespace ringlet {

namespace {

// Combed hair reaches the mouse's speed after this time if nothing holds it.
constexpr double kCombTime = 0.04;  // s
constexpr float kMostComb = 200;    // m/s^2

// The simulated vertex that corresponds to a vertex of the displayed strands.
StrandVertex simulated_vertex(const Session::Impl& impl, const StrandHit& hit) {
    int strand = hit.strand;
    for (std::size_t k = 0; k < impl.actors.size(); ++k) {
        const Groom& groom = impl.actors[k].groom;
        if (strand >= groom.strand_count()) {
            strand -= groom.strand_count();
            continue;
        }
        const int leader = groom.leader_of(strand);
        const int count = groom.layout()->vertex_count(strand);
        const int among = groom.simulated_layout().vertex_count(leader);
        const int vertex = leader == strand ? hit.vertex
                           : count > 1      ? hit.vertex * (among - 1) / (count - 1)
                                            : 0;
        return {static_cast<int>(k), leader, vertex};
    }
    return {};
}

// The mesh that hair grows on counts as the head, not as a collider.
bool is_separate(const Collider& collider) {
    return collider.shape != ColliderShape::mesh || !collider.mesh.file.empty();
}

// The actor of a strand, or null if there is no such strand.
const Actor* actor_of(const Session::Impl& impl, const StrandVertex& at) {
    if (at.strand < 0 || at.actor < 0 || at.actor >= std::ssize(impl.actors)) return nullptr;
    const Actor& actor = impl.actors[static_cast<std::size_t>(at.actor)];
    return at.strand < actor.groom.simulated_count() ? &actor : nullptr;
}

Actor& actor_at(Session::Impl& impl, int actor) {
    return impl.actors[static_cast<std::size_t>(actor)];
}

}  // namespace

SessionControl::SessionControl(Session session) : session_(std::move(session)) {
    session_.impl().absorb_overrides();
}

Result<SessionControl> SessionControl::open(const std::string& scene, const SessionOptions& options,
                                            const Listener& listener) {
    Result<Session> session = Session::open(scene, options, listener);
    if (!session) return session.error();
    return SessionControl(std::move(*session));
}

const Scene& SessionControl::scene() const { return session_.impl().scene; }
Result<void> SessionControl::change_scene(const Scene& edited) {
    growth_view_ = nullptr;
    ++revision_;
    return session_.impl().change_scene(edited);
}
const Messages& SessionControl::messages() const { return session_.impl().messages; }
void SessionControl::set_camera(const Camera& camera) {
    Scene& scene = session_.impl().scene;
    scene.camera = camera;
    scene.automatic.camera_eye = scene.automatic.camera_target = false;
    ++revision_;
}

double SessionControl::time() const { return session_.time(); }
int SessionControl::step_count() const {
    return session_.impl().actors.front().simulation().step_count();
}

// change_scene() may have created new simulations, so this precedes every advance.
void SessionControl::apply_gravity() {
    if (gravity_) return;
    for (Actor& actor : session_.impl().actors) actor.simulation().set_gravity({0, 0, 0});
}

void SessionControl::step() {
    apply_gravity();
    ++revision_;
    displayed_time_ = -1;
    session_.impl().step();
}

void SessionControl::advance_to(double time) {
    apply_gravity();
    if (time != std::exchange(displayed_time_, time)) ++revision_;
    session_.impl().advance_to(time);
}

void SessionControl::reset() {
    ++revision_;
    session_.impl().restart();
    advance_to(0);
}

void SessionControl::set_gravity(bool enabled) {
    gravity_ = enabled;
    if (!enabled) return;
    for (Actor& actor : session_.impl().actors)
        actor.simulation().set_gravity(actor.scene.sim.gravity);
}

std::string SessionControl::hash() const { return session_.hash(); }
int SessionControl::strand_count() const { return session_.strand_count(); }
std::int64_t SessionControl::vertex_count() const {
    return session_.impl().layout()->vertex_total();
}

StepStatistics SessionControl::statistics() {
    Session::Impl& impl = session_.impl();
    StepStatistics out;
    out.steps = impl.statistics.totals().frames;
    out.seconds = impl.statistics.totals().seconds;
    for (Actor& actor : impl.actors) {
        const std::span<const StageTime> stages = actor.simulation().stage_times();
        out.stages.resize(stages.size());
        for (std::size_t k = 0; k < stages.size(); ++k) {
            out.stages[k].name = stages[k].name;
            out.stages[k].ms += stages[k].seconds * 1000;
        }
    }
    const Measurement& last = impl.statistics.last_step();
    out.max_stretch = last.max_stretch;
    out.max_penetration = last.max_penetration;
    out.penetrating_vertices = last.penetrating_vertices;
    return out;
}

Picture SessionControl::picture() const { return picture_of(session_); }

Bounds SessionControl::bounds() const {
    const Session::Impl& impl = session_.impl();
    Vec3f low{1e9f, 1e9f, 1e9f}, high = -low;
    const auto include = [&](Vec3f p) {
        if (!std::isfinite(p.x + p.y + p.z)) return;
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    };
    for (const Actor& actor : impl.actors)
        for (const Vec3f p : actor.displayed.head_mesh.positions)
            include(apply(actor.to_world * actor.displayed.head, p));
    for (const Vec3f p : unpack(impl.strands(When::displayed).on_host())) include(p);
    return low.x > high.x ? Bounds{{-0.1f, -0.1f, -0.1f}, {0.1f, 0.1f, 0.1f}} : Bounds{low, high};
}

void SessionControl::highlight(const StrandVertex& strand, float width, Picture& picture) const {
    const Actor* const actor = actor_of(session_.impl(), strand);
    if (!actor) return;
    const Channel<3>& x = actor->simulation().state().x;
    for (int i = 0; i + 1 < x.layout().vertex_count(strand.strand); ++i)
        picture.marks.push_back({apply(actor->to_world, x.vec3(strand.strand, i)),
                                 apply(actor->to_world, x.vec3(strand.strand, i + 1)),
                                 {1, 0.75f, 0.1f},
                                 1,
                                 0,
                                 width});
}

std::optional<StrandInfo> SessionControl::inspect(const StrandVertex& at) const {
    const Session::Impl& impl = session_.impl();
    const Actor* const actor = actor_of(impl, at);
    if (!actor) return std::nullopt;
    const Channel<3>& x = actor->simulation().state().x;
    StrandInfo out;
    out.strand_count = actor->groom.simulated_count();
    out.vertex_count = x.layout().vertex_count(at.strand);
    out.vertex = std::min(at.vertex, out.vertex_count - 1);
    for (int i = 0; i + 1 < out.vertex_count; ++i) {
        out.length += norm(x.vec3(at.strand, i + 1) - x.vec3(at.strand, i));
        out.rest_length += actor->simulation().rest_length(at.strand, i);
    }
    out.root = x.vec3(at.strand, 0);
    out.position = x.vec3(at.strand, out.vertex);
    out.diameter = 2 * actor->groom.radius(impl.pool).at(at.strand, out.vertex);
    const auto value = [&](ColourBy what, int vertex) {
        return debug_value(*actor, what, at.strand, vertex);
    };
    out.stretch = value(ColourBy::stretch, out.vertex);
    out.speed = value(ColourBy::speed, out.vertex);
    out.distance = value(ColourBy::contact, out.vertex);
    out.acceleration = value(ColourBy::force, out.vertex);
    for (int i = 0; i < out.vertex_count; ++i) out.speeds.push_back(value(ColourBy::speed, i));
    return out;
}

Grab SessionControl::pick(const Ray& ray, float slope) const {
    const Session::Impl& impl = session_.impl();
    Grab out{.target = GrabTarget::background};
    float nearest = 1e30f;
    const auto include = [&](std::optional<float> at, GrabTarget target, std::size_t actor,
                             int collider) {
        if (!at || *at >= nearest) return;
        nearest = *at;
        out = {target, ray.origin + ray.direction * *at, static_cast<int>(actor), collider};
    };
    for (std::size_t k = 0; k < impl.actors.size(); ++k) {
        const Actor& actor = impl.actors[k];
        include(hit_mesh(actor.displayed.head_mesh, actor.to_world * actor.displayed.head, ray),
                GrabTarget::head, k, -1);
        if (!actor.scene.show_colliders) continue;
        for (std::size_t c = 0; c < actor.scene.world.colliders.size(); ++c)
            if (is_separate(actor.scene.world.colliders[c]))
                include(hit_collider(actor.simulation().colliders()[c], actor.to_world, ray),
                        GrabTarget::collider, k, static_cast<int>(c));
    }
    const std::optional<StrandHit> hit =
        hit_strand(impl.strands(When::displayed).on_host(), ray, slope);
    if (!hit || hit->distance >= nearest) return out;
    const StrandVertex hair = simulated_vertex(impl, *hit);
    return {GrabTarget::hair, hit->point, hair.actor, -1, hair};
}

std::optional<SkinHit> SessionControl::surface_at(const Ray& ray) const {
    const Actor& actor = session_.impl().actors.front();
    const std::optional<MeshHit> hit =
        first_hit(actor.displayed.head_mesh, actor.to_world * actor.displayed.head, ray);
    if (!hit) return std::nullopt;
    const Mesh& rest = actor.head_mesh->mesh;
    const int t = hit->triangle;
    return SkinHit{ray.origin + ray.direction * hit->distance,
                   rest.corner(t, 0) * (1 - hit->b - hit->c) + rest.corner(t, 1) * hit->b +
                       rest.corner(t, 2) * hit->c};
}

float SessionControl::mirror_x() const {
    return middle_x(*session_.impl().actors.front().head_mesh);
}

GrowthPaint SessionControl::growth_paint() const {
    const Actor& actor = session_.impl().actors.front();
    const GrowthPaint& paint = actor.groom.maps().painted;
    if (!paint.empty()) return paint;
    return GrowthPaint(GrowthPaint::spacing_for(actor.head_mesh->mesh));
}

void SessionControl::show_growth(const std::shared_ptr<const GrowthPaint>& paint,
                                 Picture& picture) {
    const Actor& actor = session_.impl().actors.front();
    if (!growth_view_) {
        GroomSettings groom = actor.scene.groom;
        groom.scalp = scalp_on(groom, actor.head_mesh->mesh);
        growth_view_ =
            std::make_unique<GrowthView>(actor.head_mesh->mesh, groom, actor.groom.maps());
    }
    growth_view_->add_marks(paint, actor.to_world * actor.displayed.head, picture);
}

void SessionControl::comb(const Camera& camera, Vec3f point, Vec3f way, double seconds,
                          float radius) {
    const Vec3f sight = unit_or(point - camera.eye, Vec3f{0, 0, -1}) * radius;
    Vec3f pull = way * static_cast<float>(1 / (seconds * kCombTime));
    pull = pull * std::min(1.0f, kMostComb / std::max(norm(pull), 1e-6f));
    session_.impl().set_push(Push{point - sight, point + sight, radius, pull});
}

void SessionControl::stop_combing() { session_.impl().set_push(std::nullopt); }

void SessionControl::move_head(int actor, Vec3f way) {
    ++revision_;
    Actor& own = actor_at(session_.impl(), actor);
    own.simulation().set_head_offset(moved_head(own.simulation().head_offset(), own.to_world, way));
}

void SessionControl::turn_head(int actor, const Camera& camera, float about_y, float about_right) {
    ++revision_;
    Actor& own = actor_at(session_.impl(), actor);
    own.simulation().set_head_offset(turned_head(own.simulation().head_offset(), own.to_world,
                                                 own.scene.world.head.pivot, camera, about_y,
                                                 about_right));
}

void SessionControl::move_collider(Collider& collider, int actor, Vec3f way) const {
    const Actor& own = session_.impl().actors[static_cast<std::size_t>(actor)];
    ringlet::move_collider(collider, own.to_world, own.displayed.head, way);
}

}  // namespace ringlet
