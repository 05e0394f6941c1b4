#include "collide/collider.h"

#include <utility>

#include "collide/mesh_body.h"
#include "collide/neck.h"
#include "geom/drawn_shape.h"

namespace ringlet {

namespace {

// The samples of a mesh without a body: far from every point.
constexpr float kFarSamples[8] = {1e6f, 1e6f, 1e6f, 1e6f, 1e6f, 1e6f, 1e6f, 1e6f};

struct ShapeFunctions {
    void (*place)(const Collider& collider, const Rigidf& pose, PlacedCollider& placed);
    void (*draw)(const PlacedCollider& body, const Rigidf& to_world, DrawnShape& drawn);
};

const ShapeFunctions& functions_of(ColliderShape shape) {
    static constexpr ShapeFunctions kFunctions[] = {
#define RINGLET_FUNCTIONS(NAME, TYPE) {Shape##TYPE::place, Shape##TYPE::draw},
        RINGLET_COLLIDER_SHAPES(RINGLET_FUNCTIONS)
#undef RINGLET_FUNCTIONS
    };
    return kFunctions[static_cast<int>(shape)];
}

MotionBound motion_bound_of(const Rigidf& motion, const Rigidf& pose) {
    const Quatf to_start = conjugate(motion.rotation);
    const Vec3f origin = rotate(to_start, pose.translation - motion.translation);
    const auto own = [&](Vec3f axis) {
        return rotate(conjugate(pose.rotation), rotate(motion.rotation, axis));
    };
    // A rotation moves a point one metre from its axis by twice the sine of half its angle.
    const Vec3f half_sine = {motion.rotation.x, motion.rotation.y, motion.rotation.z};
    return {origin,
            own({1, 0, 0}),
            own({0, 1, 0}),
            own({0, 0, 1}),
            norm(pose.translation - origin),
            2 * norm(half_sine)};
}

}  // namespace

Rigidf own_pose(const Collider& collider) {
    const Vec3f angles = collider.rotate_degrees * (kPi / 180);
    return {normalise(quat_from_axis_angle(Vec3f{0, 0, 1}, angles.z) *
                      quat_from_axis_angle(Vec3f{0, 1, 0}, angles.y) *
                      quat_from_axis_angle(Vec3f{1, 0, 0}, angles.x)),
            collider.centre};
}

PlacedCollider place(const Collider& collider, const Rigidf& from, const Rigidf& to) {
    const Rigidf still;
    const bool moves = collider.attached || collider.posed;
    const Rigidf pose = moves ? to : still;
    PlacedCollider out{.shape = collider.shape,
                       .a = apply(pose, collider.centre),
                       .b = {0, 0, 0},
                       .radius = collider.radius,
                       .friction = collider.friction,
                       .static_friction = max(collider.static_friction, collider.friction),
                       .restitution = collider.restitution,
                       .motion = still,
                       .pose = still,
                       .grid = {.samples = kFarSamples},
                       .motion_bound = {},
                       .is_thin = collider.is_thin};
    functions_of(collider.shape).place(collider, pose, out);
    if (moves) out.motion = motion_from(from, to);
    out.motion_bound = motion_bound_of(out.motion, out.pose);
    return out;
}

void mark_thin_bodies(std::vector<Collider>& colliders, float longest_segment) {
    for (Collider& collider : colliders) {
        const bool has_axis =
            collider.shape == ColliderShape::sphere || collider.shape == ColliderShape::capsule;
        collider.is_thin = has_axis && collider.radius < longest_segment;
    }
}

std::vector<Collider> separate_at_neck(std::vector<Collider> colliders, const Neck& neck) {
    const std::size_t count = colliders.size();
    for (std::size_t k = 0; k < count; ++k) {
        Collider& collider = colliders[k];
        if (!collider.attached || collider.posed) continue;
        if (collider.shoulders) {
            Collider below = collider;
            below.body = std::exchange(collider.shoulders, nullptr);
            below.shoulders = nullptr;
            below.on_shoulders = true;
            colliders.push_back(std::move(below));
            continue;
        }
        Vec3f middle = collider.centre;
        if (collider.body) {
            const Bounds box = bounds_of(collider.body->surface());
            middle = apply(own_pose(collider), (box.low + box.high) * 0.5f);
        }
        collider.on_shoulders = neck.head_share(middle) < 0.5f;
    }
    return colliders;
}

DrawnShape drawn_shape(const PlacedCollider& body, const Rigidf& to_world) {
    DrawnShape out;
    out.a = out.b = apply(to_world, body.a);
    out.radius = body.radius;
    functions_of(body.shape).draw(body, to_world, out);
    return out;
}

}  // namespace ringlet
