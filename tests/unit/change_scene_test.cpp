// Changing a scene while it runs: which state is kept, and the result after a reset.
#include <gtest/gtest.h>

#include <cmath>

#include "ringlet/ringlet.h"
#include "session/live/session_impl.h"
#include "sim/models/registry.h"

namespace ringlet {
namespace {

Session opened(const std::string& scene, std::vector<std::string> overrides) {
    overrides.push_back("record.settle=0");
    Result<Session> session = Session::open(scene, {overrides});
    EXPECT_TRUE(session) << session.error().text();
    return std::move(*session);
}

void run(Session& session, int frames) {
    for (int frame = 0; frame < frames; ++frame) session.step();
}

double mean_distance(const std::vector<float>& a, const std::vector<float>& b) {
    EXPECT_EQ(a.size(), b.size());
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); k += 3) {
        double square = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double d = static_cast<double>(a[k + axis]) - static_cast<double>(b[k + axis]);
            square += d * d;
        }
        sum += std::sqrt(square);
    }
    return sum / static_cast<double>(a.size()) * 3;
}

TEST(change_scene, after_a_reset_equals_a_fresh_session) {
    Session session = opened("leader", {"groom.strands=40"});
    run(session, 7);
    Scene edited = session.impl().scene;
    edited.groom.length = 0.2f;
    edited.sim.substeps = 4;
    edited.world.wind.velocity = {3, 0, 0};
    edited.world.colliders.emplace_back().centre = {0.3f, 0.2f, 0};
    ASSERT_TRUE(session.impl().change_scene(edited));
    run(session, 3);
    session.reset();
    run(session, 5);

    Session fresh = opened("leader", {"groom.strands=40", "groom.length=0.2", "sim.substeps=4",
                                      "wind.velocity=[3,0,0]"});
    Scene with_ball = fresh.impl().scene;
    with_ball.world.colliders.emplace_back().centre = {0.3f, 0.2f, 0};
    ASSERT_TRUE(fresh.impl().change_scene(with_ball));
    fresh.reset();
    run(fresh, 5);
    EXPECT_EQ(session.hash(), fresh.hash());
}

Session shaken(const std::string& model) {
    return opened("leader", {"groom.strands=8", "head.motion=shake", "head.frequency=4",
                             "sim.model=" + model});
}

TEST(change_scene, new_settings_keep_the_hairs_positions) {
    for (const ModelEntry& model : all_models()) {
        Session session = shaken(model.name);
        Session other = shaken(model.name);
        run(session, 20);
        run(other, 20);
        const std::vector<float> before = session.positions();
        const double time = session.time();
        Scene edited = session.impl().scene;
        edited.sim.damping *= 1.1f;
        ASSERT_TRUE(session.impl().change_scene(edited));
        EXPECT_EQ(session.time(), time);
        EXPECT_EQ(mean_distance(before, session.positions()), 0) << model.name;
        session.step();
        other.step();
        EXPECT_LT(mean_distance(other.positions(), session.positions()), 2e-3) << model.name;
        run(session, 10);
        EXPECT_LT(session.report().max_stretch, 0.05) << model.name;
    }
}

// The twist of a rod is not part of the state; its reconstruction must not make the rod jump.
TEST(change_scene, a_rod_continues_its_motion) {
    Session session = opened("helix", {}), other = opened("helix", {});
    run(session, 20);
    run(other, 20);
    Scene edited = session.impl().scene;
    edited.sim.follow_head_above *= 2;
    ASSERT_TRUE(session.impl().change_scene(edited));
    run(session, 10);
    run(other, 10);
    EXPECT_LT(mean_distance(session.positions(), other.positions()), 1e-3);
}

TEST(change_scene, a_new_hairstyle_grows_on_the_current_head_pose) {
    Session session =
        opened("leader", {"groom.strands=16", "head.motion=turn", "head.amplitude=0.5"});
    run(session, 40);
    Scene edited = session.impl().scene;
    edited.groom.length = 0.1f;
    const Rigidf head = session.impl().actors.front().simulation().head_pose();
    ASSERT_TRUE(session.impl().change_scene(edited));
    const Actor& actor = session.impl().actors.front();
    EXPECT_NEAR(session.time(), 0.2, 1e-6);
    EXPECT_EQ(norm(actor.simulation().head_pose().translation - head.translation), 0);
    const Vec3f root = apply(head, actor.groom.rest(TaskPool(1)).vec3(3, 0));
    EXPECT_LT(norm(actor.simulation().state().x.vec3(3, 0) - root), 1e-5f);
}

TEST(change_scene, an_invalid_scene_is_rejected_and_changes_nothing) {
    Session session = opened("leader", {"groom.strands=16"});
    run(session, 5);
    const std::string before = session.hash();
    Scene edited = session.impl().scene;
    edited.groom.mesh = "no_such.obj";
    const Result<void> done = session.impl().change_scene(edited);
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text().find("no_such.obj"), std::string::npos);
    EXPECT_EQ(session.hash(), before);
    EXPECT_EQ(session.impl().scene.groom.mesh, "builtin:bust.obj");
    session.step();
}

TEST(change_scene, loads_and_removes_an_environment_map) {
    Session session = opened("leader", {"groom.strands=4", "light.environment=studio"});
    const auto studio = session.impl().scene.light.map;
    ASSERT_TRUE(studio);
    Scene edited = session.impl().scene;
    edited.light.environment_gain = 2;
    ASSERT_TRUE(session.impl().change_scene(edited));
    EXPECT_EQ(session.impl().scene.light.map, studio) << "not loaded again";
    edited.light.environment = "gone.exr";
    const Result<void> gone = session.impl().change_scene(edited);
    ASSERT_FALSE(gone);
    EXPECT_NE(gone.error().text().find("gone.exr"), std::string::npos);
    EXPECT_EQ(session.impl().scene.light.environment, "studio");
    edited.light.environment = "";
    ASSERT_TRUE(session.impl().change_scene(edited));
    EXPECT_FALSE(session.impl().scene.light.map);
}

TEST(change_scene, actors_follow_the_scene_except_for_their_own_settings) {
    Session session = opened("models", {"groom.strands=8"});
    session.impl().absorb_overrides();
    Scene edited = session.impl().scene;
    edited.groom.length = 0.1f;
    ASSERT_TRUE(session.impl().change_scene(edited));
    for (const Actor& actor : session.impl().actors) EXPECT_EQ(actor.scene.groom.strands, 8);
    edited = session.impl().scene;
    edited.actors.pop_back();
    ASSERT_TRUE(session.impl().change_scene(edited));
    EXPECT_EQ(session.impl().actors.size(), edited.actors.size());
}

TEST(change_scene, the_head_follows_its_offset) {
    Session session = opened("leader", {"groom.strands=8"});
    run(session, 2);
    const std::string alone = [] {
        Session other = opened("leader", {"groom.strands=8"});
        run(other, 4);
        return other.hash();
    }();
    Simulation& simulation = session.impl().actors.front().simulation();
    const Rigidf before = simulation.head_pose();
    simulation.set_head_offset({{0, 0, 0, 1}, {0.05f, 0, 0}});
    run(session, 2);
    EXPECT_NEAR(simulation.head_pose().translation.x, before.translation.x + 0.05f, 1e-3f);
    EXPECT_NE(session.hash(), alone);
    session.reset();
    run(session, 4);
    EXPECT_EQ(session.hash(), alone);
}

TEST(change_scene, fur_continues_with_new_settings_and_on_a_moved_head) {
    Session session = opened("bunny", {}), other = opened("bunny", {});
    run(session, 3);
    run(other, 3);
    Scene edited = session.impl().scene;
    edited.fur.length *= 1.2f;
    ASSERT_TRUE(session.impl().change_scene(edited));
    EXPECT_EQ(session.hash(), other.hash()) << "tips stay where they are";
    run(session, 1);
    run(other, 1);
    EXPECT_NE(session.hash(), other.hash());

    Session still = opened("bunny", {});
    run(still, 4);
    EXPECT_EQ(still.hash(), other.hash());
    Rigidf aside;
    aside.translation = {0.1f, 0, 0};
    other.impl().actors.front().simulation().set_head_offset(aside);
    run(still, 1);
    run(other, 1);
    EXPECT_NE(still.hash(), other.hash()) << "tips are dragged along";
}

}  // namespace
}  // namespace ringlet
