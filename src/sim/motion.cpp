#include "sim/motion.h"

#include <algorithm>
#include <cmath>

namespace ringlet {

namespace {

// Six numbers, interpolated separately: a keyed rotation may exceed a full turn.
struct Pose {
    Vec3f translate{0, 0, 0};
    Vec3f angles{0, 0, 0};  // rad
};

Vec3f to_radians(Vec3f degrees) { return degrees * (kPi / 180); }

// Cubic Hermite interpolation; Catmull-Rom slopes in time, zero at both ends.
Vec3f hermite(Vec3f p0, Vec3f m0, Vec3f p1, Vec3f m1, float s) {
    const float s2 = s * s, s3 = s2 * s;
    return p0 * (2 * s3 - 3 * s2 + 1) + m0 * (s3 - 2 * s2 + s) + p1 * (3 * s2 - 2 * s3) +
           m1 * (s3 - s2);
}

template <class Value>
Vec3f interpolate(const std::vector<HeadKey>& keys, std::size_t i, double time, Value value) {
    const auto slope = [&](std::size_t k) {
        if (k == 0 || k + 1 == keys.size()) return Vec3f{0, 0, 0};
        const float span = max(keys[k + 1].time - keys[k - 1].time, kTiny);
        return (value(keys[k + 1]) - value(keys[k - 1])) * (1 / span);
    };
    const float span = max(keys[i + 1].time - keys[i].time, kTiny);
    return hermite(value(keys[i]), slope(i) * span, value(keys[i + 1]), slope(i + 1) * span,
                   static_cast<float>(time - static_cast<double>(keys[i].time)) / span);
}

Pose keyed_pose(const std::vector<HeadKey>& keys, double time) {
    if (keys.empty()) return {};
    const auto translate = [](const HeadKey& k) { return k.translate; };
    const auto angles = [](const HeadKey& k) { return to_radians(k.rotate_degrees); };
    if (time <= static_cast<double>(keys.front().time))
        return {translate(keys.front()), angles(keys.front())};
    if (time >= static_cast<double>(keys.back().time))
        return {translate(keys.back()), angles(keys.back())};
    const auto next = std::upper_bound(
        keys.begin(), keys.end(), time,
        [](double t, const HeadKey& k) { return t < static_cast<double>(k.time); });
    const auto i = static_cast<std::size_t>(next - keys.begin()) - 1;
    return {interpolate(keys, i, time, translate), interpolate(keys, i, time, angles)};
}

void add_named(const HeadMotion& motion, double time, Pose& pose) {
    // Whole periods are removed in double precision, so that the motion stays smooth at large
    // times.
    const double turns = time * static_cast<double>(motion.frequency);
    const float phase = 2 * kPi * static_cast<float>(turns - std::floor(turns));
    // Named motions start at rest: the amplitude grows over the first quarter period.
    const float ease = min(1.0f, static_cast<float>(4 * turns));
    const float swing = motion.amplitude * ease * ease * (3 - 2 * ease) * sin_cos(phase).sin;
    switch (motion.motion) {
        case MotionKind::none:
            break;
        case MotionKind::nod:
            pose.angles.x += swing;
            break;
        case MotionKind::turn:
            pose.angles.y += swing;
            break;
        case MotionKind::shake:
            pose.translate.x += swing;
            break;
        case MotionKind::spin:
            pose.angles.y += phase;
            break;
    }
}

Pose total_pose(const HeadMotion& motion, double world_time) {
    const double time = world_time - static_cast<double>(motion.delay);
    Pose pose = keyed_pose(motion.keys, time);
    if (time > 0) add_named(motion, time, pose);
    return pose;
}

Rigidf rigid_of(const Pose& pose, const HeadMotion& motion) {
    const Quatf turn = quat_from_axis_angle(Vec3f{0, 0, 1}, pose.angles.z) *
                       quat_from_axis_angle(Vec3f{0, 1, 0}, pose.angles.y) *
                       quat_from_axis_angle(Vec3f{1, 0, 0}, pose.angles.x);
    return {normalise(turn), motion.pivot + pose.translate - rotate(turn, motion.pivot)};
}

float beyond(float value, float limit) { return value - min(max(value, -limit), limit); }

Vec3f beyond(Vec3f value, Vec3f limit) {
    return {beyond(value.x, limit.x), beyond(value.y, limit.y), beyond(value.z, limit.z)};
}

}  // namespace

Rigidf pose_at(const HeadMotion& motion, double time) {
    return rigid_of(total_pose(motion, time), motion);
}

Rigidf shoulder_pose_at(const HeadMotion& motion, double time) {
    const Pose head = total_pose(motion, time);
    const Vec3f shift{kNeckShift, kNeckShift, kNeckShift};
    return rigid_of({beyond(head.translate, shift), beyond(head.angles, kNeckTurn)}, motion);
}

}  // namespace ringlet
