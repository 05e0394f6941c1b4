// Children follow their guides and keep their own shape.
#include <gtest/gtest.h>

#include <cmath>

#include "groom/flow.h"
#include "groom/grow.h"
#include "groom/guides.h"
#include "math/noise.h"
#include "ringlet/ringlet.h"
#include "session/live/session_impl.h"

namespace ringlet {
namespace {

Vec3f bent(Vec3f p) { return {p.x + 0.5f * p.y * p.y, p.y, p.z}; }

// A guide that hangs straight down and a frizzy child beside it.
StrandSet guide_and_child() {
    const int counts[] = {21, 33};
    StrandSet out{StrandLayout(counts)};
    for (int i = 0; i < 21; ++i)
        out.position.set_vec3(0, i, {0, -0.01f * static_cast<float>(i), 0});
    for (int i = 0; i < 33; ++i) {
        const auto id = static_cast<std::uint32_t>(i);
        const float wobble = i == 0 ? 0 : 0.002f;
        out.position.set_vec3(
            1, i,
            Vec3f{0.01f, -0.2f * static_cast<float>(i) / 32, 0} +
                Vec3f{counter_signed(1, id, 0), 0, counter_signed(1, id, 1)} * wobble);
    }
    return out;
}

const TaskPool& two() {
    static const TaskPool pool(2);
    return pool;
}

TEST(children, at_rest_they_are_where_they_were_groomed) {
    const StrandSet all = guide_and_child();
    Children children(part_of(all, 0, 1), part_of(all, 1, 2), {GuideWeights{}});
    Channel<3> now = children.rest();
    children.interpolate(part_of(all, 0, 1).position, 0, {}, {}, now, 0, two());
    for (int i = 0; i < 33; ++i) EXPECT_LT(norm(now.vec3(0, i) - all.position.vec3(1, i)), 1e-6f);
}

TEST(children, a_rigid_motion_of_head_and_guides_moves_them_rigidly) {
    const StrandSet all = guide_and_child();
    const Rigidf motion{quat_from_axis_angle(unit_or(Vec3f{1, 2, 3}, {1, 0, 0}), 2.0f), {3, -1, 2}};
    Children children(part_of(all, 0, 1), part_of(all, 1, 2), {GuideWeights{}});
    Channel<3> guide = part_of(all, 0, 1).position, now = children.rest();
    for (int i = 0; i < 21; ++i) guide.set_vec3(0, i, apply(motion, guide.vec3(0, i)));
    children.interpolate(guide, 0, {motion}, {motion}, now, 0, two());
    for (int i = 0; i < 33; ++i)
        EXPECT_LT(norm(now.vec3(0, i) - apply(motion, all.position.vec3(1, i))), 2e-6f);
}

TEST(children, bend_with_their_guide_and_keep_their_frizz) {
    const StrandSet all = guide_and_child();
    Children children(part_of(all, 0, 1), part_of(all, 1, 2), {GuideWeights{}});
    Channel<3> guide = part_of(all, 0, 1).position, now = children.rest();
    for (int i = 0; i < 21; ++i) guide.set_vec3(0, i, bent(guide.vec3(0, i)));
    children.interpolate(guide, 0, {}, {}, now, 0, two());
    // Distance to the guide at the same height along is what it was, to the bend's second order.
    for (int i = 1; i < 33; ++i) {
        const float along = static_cast<float>(i) / 32 * 20;
        const int j = std::min(static_cast<int>(along), 19);
        const float t = along - static_cast<float>(j);
        const Vec3f on_guide = guide.vec3(0, j) * (1 - t) + guide.vec3(0, j + 1) * t;
        const Vec3f was = all.position.vec3(0, j) * (1 - t) + all.position.vec3(0, j + 1) * t;
        EXPECT_NEAR(norm(now.vec3(0, i) - on_guide), norm(all.position.vec3(1, i) - was), 2e-4);
    }
    // And it did follow: the tip moved sideways as the guide's did.
    EXPECT_NEAR(now.vec3(0, 32).x - all.position.vec3(1, 32).x, 0.5f * 0.04f, 2e-3);
}

TEST(guides, weights_sum_to_one_and_never_cross_the_parting) {
    Result<Session> session =
        Session::open("bob", {.overrides = {"record.settle=0", "groom.strands=1500",
                                            "groom.guides=150", "groom.grow_patches=false"}});
    ASSERT_TRUE(session);
    const Actor& actor = session->impl().actors.front();
    ASSERT_TRUE(actor.groom.children());
    const Channel<3>& rest = actor.groom.rest(TaskPool(1));
    ASSERT_GT(actor.scene.groom.comb.part_strength, 0);
    const HairFlow flow(actor.scene.groom, actor.head_mesh->mesh);
    int child = 150;
    for (const GuideWeights& by : actor.groom.children()->weights()) {
        float sum = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            sum += by.weight[k];
            EXPECT_GE(by.weight[k], 0);
            if (by.weight[k] <= 0) continue;
            // 0: away from the parting. A fringe has no parting.
            if (flow.is_in_fringe(rest.vec3(child, 0))) continue;
            EXPECT_GE(flow.side_of_parting(rest.vec3(by.guide[k], 0)) *
                          flow.side_of_parting(rest.vec3(child, 0)),
                      0);
        }
        EXPECT_NEAR(sum, 1, 1e-6);
        ++child;
    }
    EXPECT_EQ(child, 1500);
}

TEST(guides, of_another_group_are_never_followed) {
    // Two guides and two children, side by side; the nearer guide of each child is of the other
    // group.
    const int counts[] = {2, 2, 2, 2};
    StrandSet strands{StrandLayout(counts)};
    const float x[] = {0, 1, 0.9f, 0.1f};
    for (int s = 0; s < 4; ++s) strands.position.set_vec3(s, 0, {x[s], 0, 0});
    strands.region = {7, 8, 7, 8};
    const std::vector<GuideWeights> grouped = choose_guides(strands, 2, two());
    EXPECT_EQ(grouped[0].guide[0], 0);
    EXPECT_EQ(grouped[1].guide[0], 1);
    for (const GuideWeights& by : grouped) EXPECT_EQ(by.weight[0], 1);
    strands.region.clear();
    EXPECT_EQ(choose_guides(strands, 2, two())[0].guide[0], 1);  // nearest, where all are alike
}

TEST(guides, roots_of_children_ride_the_head_exactly) {
    Result<Session> session =
        Session::open("bob", {.overrides = {"record.settle=0", "groom.strands=300",
                                            "groom.guides=50", "groom.grow_patches=false"}});
    ASSERT_TRUE(session);
    for (int k = 0; k < 20; ++k) session->step();
    const Strands now = session->impl().strands(When::now);
    const Channel<3>& all = now.on_host();
    const Actor& actor = session->impl().actors.front();
    const Channel<3>& rest = actor.groom.rest(TaskPool(1));
    for (int s = 50; s < 300; ++s)
        EXPECT_LT(norm(all.vec3(s, 0) - apply(actor.simulation().head_pose(), rest.vec3(s, 0))),
                  2e-6f);
}

TEST(guides, all_strands_are_exported_not_only_the_guides) {
    Result<Session> session =
        Session::open("bob", {.overrides = {"record.settle=0", "groom.strands=300",
                                            "groom.guides=50", "groom.grow_patches=false"}});
    ASSERT_TRUE(session);
    EXPECT_EQ(session->strand_count(), 300);
    EXPECT_EQ(session->positions().size(), 300u * 24u * 3u);
    EXPECT_EQ(session->report().strands, 50);
}

}  // namespace
}  // namespace ringlet
