#include "session/control/drag.h"

namespace ringlet {

Rigidf moved_head(const Rigidf& offset, const Rigidf& to_world, Vec3f way) {
    return {offset.rotation, offset.translation + rotate(conjugate(to_world.rotation), way)};
}

Rigidf turned_head(const Rigidf& offset, const Rigidf& to_world, Vec3f pivot, const Camera& camera,
                   float about_y, float about_right) {
    const Vec3f forward = unit_or(camera.target - camera.eye, Vec3f{0, 0, -1});
    const Vec3f right = unit_or(cross(forward, Vec3f{0, 1, 0}), Vec3f{1, 0, 0});
    const Vec3f own_right = rotate(conjugate(to_world.rotation), right);
    const Quatf turn = quat_from_axis_angle(own_right, about_right) *
                       quat_from_axis_angle(Vec3f{0, 1, 0}, about_y);
    const Vec3f centre = apply(offset, pivot);
    return Rigidf{turn, centre - rotate(turn, centre)} * offset;
}

void move_collider(Collider& collider, const Rigidf& to_world, const Rigidf& head, Vec3f way) {
    Vec3f own = rotate(conjugate(to_world.rotation), way);
    if (collider.attached) own = rotate(conjugate(head.rotation), own);
    collider.centre += own;
    collider.end += own;
}

}  // namespace ringlet
