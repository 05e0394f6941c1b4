#include "viewer/drag.h"

#include <algorithm>
#include <cmath>

namespace ringlet {

namespace {

// Hair in the comb has its speed after this long, if nothing holds it.
constexpr double kCombTime = 0.04;  // s
constexpr float kMostComb = 200;    // m/s^2

// The strand of an actor that a strand of the whole picture is, or follows.
void find_simulated(const Session::Impl& parts, const StrandHit& hit, Grabbed& out) {
    int strand = hit.strand;
    for (std::size_t k = 0; k < parts.actors.size(); ++k) {
        const Actor& actor = parts.actors[k];
        if (strand >= actor.groom.strand_count()) {
            strand -= actor.groom.strand_count();
            continue;
        }
        out.actor = static_cast<int>(k);
        out.strand = strand;
        out.vertex = hit.vertex;
        const int guides = actor.simulated().strand_count();
        if (actor.children && strand >= guides) {
            const GuideWeights& by =
                actor.children->weights()[static_cast<std::size_t>(strand - guides)];
            out.strand = by.guide[0];
            const int count = actor.groom.layout->vertex_count(strand);
            const int among = actor.simulated().layout->vertex_count(out.strand);
            out.vertex = count > 1 ? hit.vertex * (among - 1) / (count - 1) : 0;
        }
        return;
    }
}

// Its head's own mesh counts as the head.
bool is_prop(const Collider& collider) {
    return collider.shape != ColliderShape::mesh || !collider.mesh.file.empty();
}

}  // namespace

Grabbed grab(const Session::Impl& parts, const Ray& ray, float slope) {
    Grabbed out{.grip = Grip::orbit};
    float nearest = 1e30f;
    const auto meets = [&](std::optional<float> at, Grip grip, std::size_t actor, int collider) {
        if (!at || *at >= nearest) return;
        nearest = *at;
        out = {grip, static_cast<int>(actor), collider, ray.origin + ray.direction * *at};
    };
    for (std::size_t k = 0; k < parts.actors.size(); ++k) {
        const Actor& actor = parts.actors[k];
        meets(hit_mesh(actor.drawn_body, actor.place * actor.head_shown, ray), Grip::head, k, -1);
        if (!actor.scene.show_colliders) continue;
        for (std::size_t c = 0; c < actor.scene.world.colliders.size(); ++c)
            if (is_prop(actor.scene.world.colliders[c]))
                meets(hit_collider(actor.simulation->colliders()[c], actor.place, ray),
                      Grip::collider, k, static_cast<int>(c));
    }
    const std::optional<StrandHit> hit = pick_strand(parts.shown_strands(), ray, slope);
    if (hit && hit->distance < nearest) {
        out = {.grip = Grip::hair, .point = hit->point};
        find_simulated(parts, *hit, out);
    }
    return out;
}

Rigidf moved_head(const Rigidf& offset, const Actor& actor, Vec3f way) {
    return {offset.rotation, offset.translation + rotate(conjugate(actor.place.rotation), way)};
}

Rigidf turned_head(const Rigidf& offset, const Actor& actor, const Camera& camera, float about_y,
                   float about_right) {
    const Vec3f forward = unit_or(camera.target - camera.eye, Vec3f{0, 0, -1});
    const Vec3f right = unit_or(cross(forward, Vec3f{0, 1, 0}), Vec3f{1, 0, 0});
    const Vec3f own = rotate(conjugate(actor.place.rotation), right);
    const Quatf turn =
        quat_from_axis_angle(own, about_right) * quat_from_axis_angle(Vec3f{0, 1, 0}, about_y);
    const Vec3f pivot = apply(offset, actor.scene.world.head.pivot);
    return Rigidf{turn, pivot - rotate(turn, pivot)} * offset;
}

void move_collider(Collider& collider, const Actor& actor, Vec3f way) {
    Vec3f own = rotate(conjugate(actor.place.rotation), way);
    if (collider.attached) own = rotate(conjugate(actor.head_shown.rotation), own);
    collider.centre += own;
    collider.end += own;
}

void comb_hair(Session::Impl& parts, const Camera& camera, Vec3f point, Vec3f way, double seconds,
               float radius) {
    const Vec3f sight = unit_or(point - camera.eye, Vec3f{0, 0, -1}) * radius;
    Vec3f pull = way * static_cast<float>(1 / (seconds * kCombTime));
    pull = pull * std::min(1.0f, kMostComb / std::max(norm(pull), 1e-6f));
    parts.set_push(Push{point - sight, point + sight, radius, pull});
}

void stop_combing(Session::Impl& parts) { parts.set_push(std::nullopt); }

}  // namespace ringlet
