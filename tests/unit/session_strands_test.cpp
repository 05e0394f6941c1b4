// Session::Impl::strands(): positions of all strands at rest, after the last step, and displayed
// between two steps.
#include <gtest/gtest.h>

#include <fstream>

#include "session/draw.h"
#include "session/live/session_impl.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

Session opened(const std::string& scene, std::vector<std::string> overrides) {
    overrides.push_back("record.settle=0");
    Result<Session> session = Session::open(scene, {.overrides = std::move(overrides)});
    EXPECT_TRUE(session) << session.error().text();
    return std::move(*session);
}

// Steps and displays until that many steps after the start, or between two.
void advance(Session& session, double steps) {
    session.impl().advance_to(steps * static_cast<double>(session.impl().scene.sim.dt));
}

std::vector<Vec3f> positions(const Session& session, When when) {
    return unpack(session.impl().strands(when).on_host());
}

float largest_distance(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
    EXPECT_EQ(a.size(), b.size());
    float out = 0;
    for (std::size_t k = 0; k < a.size(); ++k) out = std::max(out, norm(a[k] - b[k]));
    return out;
}

TEST(strands, displayed_ones_are_interpolated_between_the_last_two_steps) {
    Session session = opened("pendulum", {});
    advance(session, 9);
    const std::vector<Vec3f> before = positions(session, When::now);
    advance(session, 9.25);
    const std::vector<Vec3f> after = positions(session, When::now);
    std::vector<Vec3f> expected = before;
    for (std::size_t k = 0; k < expected.size(); ++k)
        expected[k] = before[k] + (after[k] - before[k]) * 0.25f;
    EXPECT_GT(largest_distance(before, after), 1e-3f);
    EXPECT_LT(largest_distance(positions(session, When::displayed), expected), 1e-6f);
}

TEST(strands, displayed_ones_at_the_end_of_a_step_are_the_current_ones) {
    Session session = opened("bob", {"groom.strands=120", "groom.guides=20"});
    for (int step = 1; step <= 5; ++step) advance(session, step);
    ASSERT_TRUE(session.impl().actors.front().groom.children());
    EXPECT_LT(largest_distance(positions(session, When::displayed), positions(session, When::now)),
              1e-6f);
}

TEST(strands, a_picture_borrows_the_displayed_positions) {
    Session session = opened("pendulum", {});
    advance(session, 0.5);
    const Strands shown = session.impl().strands(When::displayed);
    EXPECT_FALSE(shown.owned);
    EXPECT_EQ(picture_of(session).strands.position, shown.position);
    advance(session, 3.5);
    EXPECT_EQ(session.impl().strands(When::displayed).position, shown.position);
}

TEST(strands, several_actors_are_in_world_space_at_any_time) {
    const TempFolder folder;
    std::ofstream(folder / "two.toml")
        << "[groom]\nmesh = ''\n[[groom.strand]]\nroot = [0, 1, 0]\ndirection = [1, 0, 0]\n"
           "length = 0.3\nvertices = 8\n[sim]\nmodel = 'pbd'\n"
           "[[actor]]\n[[actor]]\nat = [3, 1, -2]\nturn = 90\n";
    Session session = opened((folder / "two.toml").string(), {});
    advance(session, 4.5);
    const Rigidf to_world = session.impl().actors[1].to_world;
    for (const When when : {When::at_rest, When::now, When::displayed}) {
        const std::vector<Vec3f> all = positions(session, when);
        ASSERT_EQ(all.size(), 16u);
        for (std::size_t i = 0; i < 8; ++i)
            EXPECT_LT(norm(all[8 + i] - apply(to_world, all[i])), 1e-5f) << static_cast<int>(when);
    }
    EXPECT_GT(largest_distance(positions(session, When::at_rest), positions(session, When::now)),
              1e-3f);
}

TEST(strands, a_reset_forgets_what_was_displayed) {
    Session session = opened("pendulum", {});
    session.impl().advance_to(0.3);
    session.reset();
    session.impl().advance_to(0);
    EXPECT_EQ(largest_distance(positions(session, When::displayed), positions(session, When::now)),
              0);
    EXPECT_EQ(session.time(), 0);
}

}  // namespace
}  // namespace ringlet
