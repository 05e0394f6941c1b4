// The head's motion and the bodies it carries.
#include "sim/motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "collide/collider.h"
#include "ringlet/settings.h"

namespace ringlet {
namespace {

constexpr float kDegree = kPi / 180;

HeadMotion keyed() {
    HeadMotion motion;
    motion.pivot = {0, 0, 0};
    motion.keys = {{1.0f, {0, 0, 0}, {0, 0, 0}},
                   {1.5f, {0.1f, 0.2f, 0}, {0, 40, 0}},
                   {3.0f, {-0.1f, 0, 0.3f}, {5, -30, 0}},
                   {3.2f, {0, 0, 0}, {0, 8, 10}}};
    return motion;
}

Vec3f velocity_at(const HeadMotion& motion, Vec3f point, double time, double step) {
    const Vec3f a = apply(pose_at(motion, time), point),
                b = apply(pose_at(motion, time + step), point);
    return (b - a) * static_cast<float>(1 / step);
}

TEST(head_motion, passes_through_its_keys) {
    const HeadMotion motion = keyed();
    for (const HeadKey& key : motion.keys) {
        const Rigidf pose = pose_at(motion, static_cast<double>(key.time));
        EXPECT_LT(norm(pose.translation - key.translate), 1e-7f) << key.time;
        // About x, then y, then z.
        const Vec3f r = key.rotate_degrees * kDegree;
        const Quatf expected = quat_from_axis_angle(Vec3f{0, 0, 1}, r.z) *
                               quat_from_axis_angle(Vec3f{0, 1, 0}, r.y) *
                               quat_from_axis_angle(Vec3f{1, 0, 0}, r.x);
        for (const Vec3f a : {Vec3f{1, 0, 0}, Vec3f{0, 1, 0}, Vec3f{0, 0, 1}})
            EXPECT_LT(norm(rotate(pose.rotation, a) - rotate(expected, a)), 2e-6f) << key.time;
    }
    const Quatf turned = pose_at(motion, 1.5).rotation;
    EXPECT_LT(norm(rotate(turned, Vec3f{0, 0, 1}) -
                   Vec3f{std::sin(40 * kDegree), 0, std::cos(40 * kDegree)}),
              2e-6f);
}

TEST(head_motion, has_no_jump_of_velocity_at_its_keys) {
    const HeadMotion motion = keyed();
    const Vec3f nose{0, 0.1f, 0.1f};
    for (const HeadKey& key : motion.keys) {
        const double time = static_cast<double>(key.time);
        const Vec3f before = velocity_at(motion, nose, time - 0.0005, 0.0005);
        const Vec3f after = velocity_at(motion, nose, time, 0.0005);
        EXPECT_LT(norm(after - before), 0.03f) << "at " << time;
    }
    // And the head does move: the tolerance above is small against this.
    EXPECT_GT(norm(velocity_at(motion, nose, 3.1, 0.004)), 0.8f);
}

TEST(head_motion, is_still_outside_its_keys) {
    const HeadMotion motion = keyed();
    for (const auto& [early, late] : {std::pair(0.0, 1.0), std::pair(3.2, 100.0)}) {
        const Rigidf a = pose_at(motion, early), b = pose_at(motion, late);
        EXPECT_EQ(a.translation.x, b.translation.x);
        EXPECT_EQ(a.rotation.y, b.rotation.y);
        EXPECT_EQ(a.rotation.w, b.rotation.w);
    }
    const Rigidf none = pose_at(HeadMotion{}, 5);
    EXPECT_EQ(none.rotation.w, 1);
    EXPECT_EQ(norm(none.translation), 0);
    HeadMotion one;
    one.keys = {{2, {0.5f, 0, 0}, {0, 90, 0}}};
    EXPECT_EQ(pose_at(one, 0).translation.x, pose_at(one, 9).translation.x);
    EXPECT_NEAR(pose_at(one, 0).translation.x, 0.5f, 1e-6f);
}

TEST(head_motion, keyed_rotations_may_exceed_a_full_turn) {
    HeadMotion motion;
    motion.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {4, {0, 0, 0}, {0, 720, 0}}};
    // Half way in time is one whole turn: back at the start.
    const Rigidf middle = pose_at(motion, 2);
    EXPECT_LT(norm(rotate(middle.rotation, Vec3f{0, 0, 1}) - Vec3f{0, 0, 1}), 1e-5f);
    EXPECT_GT(norm(rotate(pose_at(motion, 1.5).rotation, Vec3f{0, 0, 1}) - Vec3f{0, 0, 1}), 0.5f);
}

TEST(head_motion, turns_about_its_pivot) {
    HeadMotion motion;
    motion.pivot = {0.1f, 0.25f, -0.05f};
    motion.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {2, {0, 0, 0}, {30, -70, 20}}};
    for (double t = 0; t < 3; t += 0.05) {
        EXPECT_LT(norm(apply(pose_at(motion, t), motion.pivot) - motion.pivot), 2e-7f);
        const Quatf q = pose_at(motion, t).rotation;
        EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-6f);
    }
    EXPECT_GT(norm(apply(pose_at(motion, 2), Vec3f{0, 0.5f, 0}) - Vec3f{0, 0.5f, 0}), 0.05f);
}

HeadMotion named(MotionKind kind, float amplitude, float frequency) {
    HeadMotion motion;
    motion.motion = kind;
    motion.amplitude = amplitude;
    motion.frequency = frequency;
    motion.pivot = {0, 0, 0};
    return motion;
}

TEST(head_motion, shake_reaches_its_amplitude_at_its_frequency) {
    const HeadMotion motion = named(MotionKind::shake, 0.03f, 2);
    float most = 0, before = 0;
    int crossings = 0;
    for (int i = 0; i < 10000; ++i) {  // 10 s, never sampled where it is zero
        const float x = pose_at(motion, (i + 0.5) * 0.001).translation.x;
        most = std::max(most, std::abs(x));
        crossings += i > 0 && (x > 0) != (before > 0);
        before = x;
    }
    EXPECT_NEAR(most, 0.03f, 1e-5f);
    EXPECT_EQ(crossings, 39);
    EXPECT_NEAR(pose_at(motion, 5.125).translation.x, 0.03f, 1e-5f);  // a quarter of a swing on
    EXPECT_NEAR(pose_at(motion, 5.375).translation.x, -0.03f, 1e-5f);
    EXPECT_EQ(pose_at(motion, 5.3).translation.y, 0);
}

TEST(head_motion, named_motions_start_from_rest) {
    for (const MotionKind kind : {MotionKind::nod, MotionKind::turn, MotionKind::shake}) {
        const HeadMotion motion = named(kind, 0.5f, 1);
        EXPECT_LT(norm(apply(pose_at(motion, 0), Vec3f{1, 1, 1}) - Vec3f{1, 1, 1}), 1e-9f);
        const Vec3f start = velocity_at(motion, {1, 1, 1}, 0, 0.002);
        EXPECT_LT(norm(start), 0.02f);
    }
}

TEST(head_motion, nod_turn_and_spin_turn_about_their_own_axes) {
    const Rigidf nod = pose_at(named(MotionKind::nod, 0.4f, 1), 5.25);
    EXPECT_LT(
        norm(rotate(nod.rotation, Vec3f{0, 0, 1}) - Vec3f{0, -std::sin(0.4f), std::cos(0.4f)}),
        1e-5f);
    const Rigidf turn = pose_at(named(MotionKind::turn, 0.4f, 1), 5.25);
    EXPECT_LT(
        norm(rotate(turn.rotation, Vec3f{0, 0, 1}) - Vec3f{std::sin(0.4f), 0, std::cos(0.4f)}),
        1e-5f);
    const Rigidf quarter = pose_at(named(MotionKind::spin, 0.4f, 0.5f), 0.5);  // a quarter turn
    EXPECT_LT(norm(rotate(quarter.rotation, Vec3f{0, 0, 1}) - Vec3f{1, 0, 0}), 1e-5f);
    const Rigidf still = pose_at(named(MotionKind::spin, 0.4f, 0), 5);
    EXPECT_LT(norm(rotate(still.rotation, Vec3f{0, 0, 1}) - Vec3f{0, 0, 1}), 1e-6f);
}

TEST(head_motion, keeps_its_smoothness_over_an_hour) {
    // Recordings last up to an hour; a swing may not become coarse by then.
    for (const MotionKind kind : {MotionKind::shake, MotionKind::spin, MotionKind::turn}) {
        const HeadMotion motion = named(kind, 0.1f, 2);
        float worst = 0;
        for (double t = 0.1; t < 0.6; t += 0.01) {
            const Vec3f early = apply(pose_at(motion, 2 + t), Vec3f{0, 0, 0.1f});
            const Vec3f late = apply(pose_at(motion, 3500 + t), Vec3f{0, 0, 0.1f});
            worst = std::max(worst, norm(early - late));
        }
        EXPECT_LT(worst, 1e-5f) << "m, for motion " << static_cast<int>(kind);
    }
}

Rigidf some_pose(std::mt19937& random) {
    std::uniform_real_distribution<float> uniform(-1, 1);
    const Vec3f axis =
        unit_or(Vec3f{uniform(random), uniform(random), uniform(random)}, Vec3f{0, 1, 0});
    return {quat_from_axis_angle(axis, 3 * uniform(random)),
            {uniform(random), uniform(random), uniform(random)}};
}

TEST(placed_collider, is_carried_as_its_material_points_are) {
    std::mt19937 random(1);
    Collider capsule;
    capsule.shape = ColliderShape::capsule;
    capsule.centre = {0.1f, 0.2f, 0.3f};
    capsule.end = {0.4f, 0.1f, -0.2f};
    for (int k = 0; k < 200; ++k) {
        const Rigidf from = some_pose(random), to = some_pose(random);
        const PlacedCollider placed = place(capsule, from, to);
        EXPECT_LT(norm(placed.a - apply(to, capsule.centre)), 1e-6f);
        EXPECT_LT(norm(placed.b - apply(to, capsule.end)), 1e-6f);
        for (const Vec3f material : {capsule.centre, capsule.end, Vec3f{-1, 2, 0.5f}})
            EXPECT_LT(norm(apply(placed.motion, apply(from, material)) - apply(to, material)),
                      5e-6f);
    }
}

TEST(placed_collider, motion_bound_covers_the_motion) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> uniform(-1, 1);
    Collider body;
    body.shape = ColliderShape::ellipsoid;
    body.centre = {0.1f, 0.2f, 0.3f};
    body.rotate_degrees = {10, 20, 30};
    for (int k = 0; k < 200; ++k) {
        const PlacedCollider placed = place(body, some_pose(random), some_pose(random));
        const Vec3f x = {uniform(random), uniform(random), uniform(random)};
        const Vec3f taken = moved_with(placed, x), d = x - placed.motion_bound.origin;
        const Vec3f own = rotate(conjugate(placed.pose.rotation), taken - placed.pose.translation);
        EXPECT_LT(norm(placed.motion_bound.to_body(d) - own), 5e-6f);
        EXPECT_GE(placed.motion_bound.max_displacement(norm(d)), norm(taken - x) - 5e-6f);
    }
}

TEST(placed_collider, stays_where_it_is_when_not_attached) {
    std::mt19937 random(2);
    Collider ground;
    ground.shape = ColliderShape::plane;
    ground.attached = false;
    ground.centre = {0, -1, 0};
    ground.normal = {0, 5, 0};
    const PlacedCollider placed = place(ground, some_pose(random), some_pose(random));
    EXPECT_LT(norm(placed.a - Vec3f{0, -1, 0}), 1e-7f);
    EXPECT_LT(norm(placed.b - Vec3f{0, 1, 0}), 1e-7f);
    EXPECT_LT(norm(apply(placed.motion, Vec3f{3, 4, 5}) - Vec3f{3, 4, 5}), 1e-6f);
    ground.attached = true;
    const Rigidf quarter{quat_from_axis_angle(Vec3f{0, 0, 1}, kPi / 2), {0, 0, 0}};
    EXPECT_LT(norm(place(ground, quarter, quarter).b - Vec3f{-1, 0, 0}), 1e-6f);
}

template <class Check>
void with_points(Check check) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> uniform(-2, 2);
    for (int k = 0; k < 2000; ++k) check(Vec3f{uniform(random), uniform(random), uniform(random)});
}

TEST(nearest_surface, of_a_sphere_is_the_distance_to_its_centre) {
    Collider sphere;
    sphere.centre = {0.5f, 0, -0.25f};
    sphere.radius = 0.75f;
    const PlacedCollider placed = place(sphere, {}, {});
    with_points([&](Vec3f p) {
        const auto got = nearest_surface(placed, p);
        EXPECT_NEAR(got.distance, norm(p - sphere.centre) - 0.75f, 1e-6f);
        EXPECT_LT(norm(p - got.normal * got.distance - sphere.centre), 0.75f + 1e-5f);
        EXPECT_NEAR(dot(got.normal, unit_or(p - sphere.centre, got.normal)), 1, 1e-5f);
    });
    const auto centre = nearest_surface(placed, sphere.centre);
    EXPECT_NEAR(centre.distance, -0.75f, 1e-7f);
    EXPECT_NEAR(norm(centre.normal), 1, 1e-6f);
}

TEST(nearest_surface, of_a_capsule_is_the_distance_to_its_axis) {
    Collider capsule;
    capsule.shape = ColliderShape::capsule;
    capsule.centre = {0, -0.5f, 0};
    capsule.end = {0, 1, 0};
    capsule.radius = 0.3f;
    const PlacedCollider placed = place(capsule, {}, {});
    bool beside = false, above = false, below = false;
    with_points([&](Vec3f p) {
        const Vec3f foot{0, std::clamp(p.y, -0.5f, 1.0f), 0};
        const auto got = nearest_surface(placed, p);
        EXPECT_NEAR(got.distance, norm(p - foot) - 0.3f, 1e-6f);
        EXPECT_NEAR(dot(got.normal, unit_or(p - foot, got.normal)), 1, 1e-5f);
        above = above || p.y > 1;
        below = below || p.y < -0.5f;
        beside = beside || (p.y > -0.5f && p.y < 1);
    });
    EXPECT_TRUE(above && below && beside);
}

TEST(nearest_surface, of_a_plane_is_the_height_above_it) {
    Collider plane;
    plane.shape = ColliderShape::plane;
    plane.centre = {1, 2, 3};
    plane.normal = {0, 3, 4};
    const PlacedCollider placed = place(plane, {}, {});
    with_points([&](Vec3f p) {
        const auto got = nearest_surface(placed, p);
        EXPECT_NEAR(got.distance, 0.6f * (p.y - 2) + 0.8f * (p.z - 3), 2e-6f);
        EXPECT_LT(norm(got.normal - Vec3f{0, 0.6f, 0.8f}), 1e-6f);
    });
}

}  // namespace
}  // namespace ringlet
