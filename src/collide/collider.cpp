#include "collide/collider.h"

#include "collide/mesh_body.h"

namespace ringlet {

namespace {

// m; a flatter ellipsoid has no nearest point that float could tell.
constexpr float kLeastRadius = 1e-4f;

// Far from everything, whatever point is asked for.
constexpr float kNothing[8] = {1e6f, 1e6f, 1e6f, 1e6f, 1e6f, 1e6f, 1e6f, 1e6f};

Quatf turn_of(Vec3f degrees) {
    const Vec3f angles = degrees * (kPi / 180);
    return normalise(quat_from_axis_angle(Vec3f{0, 0, 1}, angles.z) *
                     quat_from_axis_angle(Vec3f{0, 1, 0}, angles.y) *
                     quat_from_axis_angle(Vec3f{1, 0, 0}, angles.x));
}

MotionBound motion_bound_of(const Rigidf& motion, const Rigidf& pose) {
    const Quatf to_start = conjugate(motion.rotation);
    const Vec3f origin = rotate(to_start, pose.translation - motion.translation);
    const auto own = [&](Vec3f axis) {
        return rotate(conjugate(pose.rotation), rotate(motion.rotation, axis));
    };
    // A turn moves what is a metre away by twice the sine of half its angle.
    const Vec3f turn = {motion.rotation.x, motion.rotation.y, motion.rotation.z};
    return {origin,
            own({1, 0, 0}),
            own({0, 1, 0}),
            own({0, 0, 1}),
            norm(pose.translation - origin),
            2 * norm(turn)};
}

}  // namespace

PlacedCollider place(const Collider& collider, const Rigidf& from, const Rigidf& to) {
    const Rigidf still;
    const Rigidf pose = collider.attached ? to : still;
    PlacedCollider out{.shape = collider.shape,
                       .a = apply(pose, collider.centre),
                       .b = {0, 0, 0},
                       .radius = collider.radius,
                       .friction = collider.friction,
                       .static_friction = max(collider.static_friction, collider.friction),
                       .restitution = collider.restitution,
                       .motion = still,
                       .pose = still,
                       .grid = {.samples = kNothing},
                       .motion_bound = {}};
    switch (collider.shape) {
        case ColliderShape::sphere:
            out.b = out.a;
            break;
        case ColliderShape::capsule:
            out.b = apply(pose, collider.end);
            break;
        case ColliderShape::plane:
            out.b = rotate(pose.rotation, unit_or(collider.normal, Vec3f{0, 1, 0}));
            break;
        case ColliderShape::ellipsoid:
            out.b = {max(collider.radii.x, kLeastRadius), max(collider.radii.y, kLeastRadius),
                     max(collider.radii.z, kLeastRadius)};
            out.pose = pose * Rigidf{turn_of(collider.rotate_degrees), collider.centre};
            break;
        case ColliderShape::mesh:
            out.pose = pose * Rigidf{turn_of(collider.rotate_degrees), collider.centre};
            if (collider.body) out.grid = collider.body->grid();
            break;
    }
    if (collider.attached) out.motion = motion_from(from, to);
    out.motion_bound = motion_bound_of(out.motion, out.pose);
    return out;
}

}  // namespace ringlet
