// The neck: the head moves while the shoulders stay, for the drawn mesh, the colliders and the
// roots.
#include "collide/neck.h"

#include <gtest/gtest.h>

#include "ringlet/ringlet.h"
#include "session/live/session_impl.h"

namespace ringlet {
namespace {

constexpr Neck kNeck{.pivot = {0, 0.25f, 0}, .tilt = 0, .low = 0.2f, .high = 0.3f};

Rigidf turned(float angle, Vec3f pivot) {
    const Quatf turn = quat_from_axis_angle(Vec3f{0, 1, 0}, angle);
    return {turn, pivot - rotate(turn, pivot)};
}

// The pose, in the actor's frame, of skin that follows this share of the head's motion.
Rigidf pose_of_skin(const Neck& neck, const NeckPose& pose, float head_share) {
    return pose.head * neck.bend(pose).skin_motion(head_share);
}

TEST(Neck, skin_follows_the_shoulders_below_and_the_head_above) {
    const NeckPose pose{{{0, 0, 0, 1}, {0.1f, 0, 0}}, turned(0.8f, kNeck.pivot)};
    const Vec3f p{0.05f, 0.2f, 0.02f};
    EXPECT_LT(norm(apply(pose_of_skin(kNeck, pose, 0), p) - apply(pose.shoulders, p)), 1e-6f);
    EXPECT_LT(norm(apply(pose_of_skin(kNeck, pose, 1), p) - apply(pose.head, p)), 1e-6f);
    EXPECT_EQ(kNeck.head_share({0, 0.19f, 0}), 0);
    EXPECT_EQ(kNeck.head_share({0, 0.31f, 0}), 1);
    EXPECT_FLOAT_EQ(kNeck.head_share({0, 0.25f, 0}), 0.5f);
}

TEST(Neck, turned_neck_keeps_its_thickness) {
    const NeckPose pose{{}, turned(1.2f, kNeck.pivot)};
    for (const float share : {0.2f, 0.5f, 0.8f}) {
        const Vec3f moved = apply(pose_of_skin(kNeck, pose, share), Vec3f{0.05f, 0.25f, 0});
        EXPECT_NEAR(norm(moved - kNeck.pivot), 0.05f, 1e-6f) << share;
    }
}

TEST(Neck, parts_cover_the_mesh_and_share_only_the_border) {
    Result<Session> opened = Session::open("bust", {});
    ASSERT_TRUE(opened);
    const Mesh& mesh = opened->impl().actors.front().head_mesh->mesh;
    const NeckParts parts = split_at_neck(kNeck, mesh);
    const int both =
        parts.head.triangle_count() + parts.shoulders.triangle_count() - mesh.triangle_count();
    EXPECT_GT(both, 0);
    EXPECT_LT(both, mesh.triangle_count() / 20);
    EXPECT_LT(bounds_of(mesh).low.y + 0.15f, kNeck.low);
    for (int t = 0; t < parts.head.triangle_count(); ++t)
        for (int k = 0; k < 3; ++k) ASSERT_GT(parts.head.corner(t, k).y, 0.22f);
}

// A head that has turned by 57 degrees after half a second, and stays so.
Result<Session> open_turning(const char* preset, const std::string& more) {
    Result<Session> opened =
        Session::open(preset, {.overrides = {"groom.strands=60", "groom.guides=20",
                                             "record.settle=0", "head.motion=none", more}});
    if (!opened) return opened;
    Session::Impl& impl = opened->impl();
    for (Actor& actor : impl.actors) {
        World& world = actor.scene.world;
        world.head.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {0.5f, {0, 0, 0}, {0, 57.29578f, 0}}};
        actor.simulation().set_world(world, impl.pool);
    }
    return opened;
}

TEST(Neck, drawn_shoulders_stay_while_the_face_turns) {
    Result<Session> opened = open_turning("bob", "head.neck=auto");
    ASSERT_TRUE(opened);
    opened->impl().advance_to(0.6);
    const Actor& actor = opened->impl().actors.front();
    ASSERT_TRUE(actor.scene.world.neck);
    const Mesh &rest = actor.head_mesh->mesh, &drawn = actor.displayed.head_mesh;
    const Rigidf head = turned(1, actor.scene.world.head.pivot);
    int low = 0, high = 0;
    for (std::size_t k = 0; k < rest.positions.size(); ++k) {
        const Vec3f was = rest.positions[k], now = apply(actor.displayed.head, drawn.positions[k]);
        if (was.y < 0.15f) {
            ASSERT_LT(norm(now - was), 1e-5f);
            ASSERT_LT(
                norm(rotate(actor.displayed.head.rotation, drawn.normals[k]) - rest.normals[k]),
                1e-5f);
            ++low;
        } else if (was.y > 0.305f) {
            ASSERT_LT(norm(now - apply(head, was)), 1e-5f);
            ++high;
        }
    }
    EXPECT_GT(low, 100);
    EXPECT_GT(high, 1000);
}

// Distance to the nearest collider.
float clearance(const Actor& actor, Vec3f p) {
    float out = 1e6f;
    for (const PlacedCollider& body : actor.simulation().colliders())
        out = std::min(out, nearest_surface<float>(body, p).distance);
    return out;
}

TEST(Neck, colliders_follow_head_and_shoulders) {
    Result<Session> opened = open_turning("bob", "head.neck=auto");
    ASSERT_TRUE(opened);
    opened->impl().advance_to(0.6);
    const Actor& actor = opened->impl().actors.front();
    ASSERT_EQ(actor.scene.world.colliders.size(), 1u);
    ASSERT_EQ(actor.simulation().colliders().size(), 2u);
    const Mesh& rest = actor.head_mesh->mesh;
    const Rigidf head = turned(1, actor.scene.world.head.pivot);
    for (const Vec3f p : rest.positions) {
        const bool is_head = p.y > 0.305f;
        if (!is_head && p.y > 0.15f) continue;
        ASSERT_NEAR(clearance(actor, is_head ? apply(head, p) : p), 0, 2e-3f) << p.y;
    }
    for (const PlacedCollider& body : actor.simulation().colliders())
        EXPECT_EQ(norm(body.motion.translation), 0) << "nothing moves after the turn";
}

// The skin of the neck bends; the colliders are rigid.
TEST(Neck, bent_skin_stays_close_to_the_colliders) {
    Result<Session> opened =
        Session::open("bob", {.overrides = {"groom.strands=20", "groom.guides=0", "record.settle=0",
                                            "head.motion=none"}});
    ASSERT_TRUE(opened);
    Session::Impl& impl = opened->impl();
    Actor& actor = impl.actors.front();
    World world = actor.scene.world;
    world.head.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {0.5f, {0, 0, 0}, {0.3f * 180 / kPi, 0, 0}}};
    actor.simulation().set_world(world, impl.pool);
    impl.advance_to(0.6);
    float most = 0;
    for (const Vec3f p : actor.displayed.head_mesh.positions)
        most = std::max(most, std::abs(clearance(actor, apply(actor.displayed.head, p))));
    RecordProperty("most_mm", std::to_string(1000 * most));
    EXPECT_LT(most, 0.006f);
}

TEST(Neck, rigid_shoulders_turn_with_the_head) {
    Result<Session> opened = open_turning("bob", "head.neck=rigid");
    ASSERT_TRUE(opened);
    opened->impl().advance_to(0.6);
    const Actor& actor = opened->impl().actors.front();
    EXPECT_FALSE(actor.scene.world.neck);
    EXPECT_EQ(actor.simulation().colliders().size(), 1u);
    const Mesh &rest = actor.head_mesh->mesh, &drawn = actor.displayed.head_mesh;
    for (std::size_t k = 0; k < rest.positions.size(); ++k)
        ASSERT_EQ(norm(rest.positions[k] - drawn.positions[k]), 0);
}

// Hair over the whole bust: simulated roots and those of children follow the skin of the neck.
TEST(Neck, roots_follow_the_skin) {
    Result<Session> opened = open_turning("straight", "groom.scalp=");
    ASSERT_TRUE(opened);
    Session::Impl& impl = opened->impl();
    impl.advance_to(0.6);
    const Actor& actor = impl.actors.front();
    ASSERT_TRUE(actor.scene.world.neck);
    const Neck& neck = *actor.scene.world.neck;
    const Strands shown = impl.strands(When::displayed);
    const Channel<3>& rest = actor.groom.rest(impl.pool);
    int between = 0;
    for (int s = 0; s < actor.groom.strand_count(); ++s) {
        const Vec3f root = rest.vec3(s, 0);
        const float share = neck.head_share(root);
        between += share > 0 && share < 1;
        const NeckPose pose{actor.displayed.shoulders, actor.displayed.head};
        EXPECT_LT(norm(shown.on_host().vec3(s, 0) - apply(pose_of_skin(neck, pose, share), root)),
                  1e-5f)
            << s;
    }
    EXPECT_GT(between, 3);
}

TEST(Neck, shoulders_follow_a_head_that_turns_too_far) {
    HeadMotion motion{.keys = {{0, {0, 0, 0}, {0, 360, 0}}}};
    const Rigidf shoulders = shoulder_pose_at(motion, 1);
    const Rigidf expected = turned(2 * kPi - kNeckTurn.y, motion.pivot);
    const Vec3f p{0.1f, 0.2f, 0.3f};
    EXPECT_LT(norm(apply(shoulders, p) - apply(expected, p)), 1e-5f);
    motion.keys = {{0, {0.05f, 0, 0}, {20, 60, 10}}};
    EXPECT_LT(norm(apply(shoulder_pose_at(motion, 1), p) - p), 1e-6f);
}

TEST(Neck, mesh_without_shoulders_moves_rigidly_and_says_so) {
    Result<Session> opened = Session::open(
        "curls", {.overrides = {"groom.mesh=builtin:bunny.obj", "groom.scalp=", "groom.strands=50",
                                "groom.guides=0", "record.settle=0"}});
    ASSERT_TRUE(opened);
    const Session::Impl& impl = opened->impl();
    EXPECT_FALSE(impl.actors.front().scene.world.neck);
    EXPECT_TRUE(std::ranges::any_of(impl.messages.assumptions, [](const std::string& text) {
        return text.find("no shoulders") != std::string::npos;
    }));
}

TEST(Neck, edited_scene_gets_a_neck) {
    Result<Session> opened = open_turning("bob", "head.neck=rigid");
    ASSERT_TRUE(opened);
    Session::Impl& impl = opened->impl();
    Scene edited = impl.scene;
    edited.world.head.neck = NeckKind::automatic;
    ASSERT_TRUE(impl.change_scene(edited));
    EXPECT_EQ(impl.actors.front().simulation().colliders().size(), 2u);
    edited.world.head.pivot.y += 0.01f;
    ASSERT_TRUE(impl.change_scene(edited));
    EXPECT_EQ(impl.actors.front().simulation().colliders().size(), 2u);
}

}  // namespace
}  // namespace ringlet
