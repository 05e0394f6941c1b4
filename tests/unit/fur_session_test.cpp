// Fur in a session: simulation, hash, report, changes while it runs, and errors.
#include <gtest/gtest.h>

#include "groom/hairline.h"
#include "ringlet/ringlet.h"
#include "session/draw.h"
#include "session/live/session_impl.h"

namespace ringlet {
namespace {

Result<Session> open(const std::string& scene, std::vector<std::string> overrides = {}) {
    overrides.push_back("record.settle=0.1");
    return Session::open(scene, {.overrides = std::move(overrides)});
}

TEST(fur_session, a_bunny_is_simulated_and_reported) {
    for (const char* style : {"original", "shells"}) {
        Result<Session> session = open("bunny", {std::string("fur.style=") + style});
        ASSERT_TRUE(session) << session.error().text();
        const std::string start = session->hash();
        for (int k = 0; k < 45; ++k) session->step();
        EXPECT_NE(session->hash(), start);
        const Report report = session->report();
        EXPECT_EQ(report.model, style);
        EXPECT_GT(report.vertices, 5000);
        EXPECT_EQ(report.strands, 0);
        EXPECT_EQ(report.nonfinite_vertices, 0);
        EXPECT_LT(report.max_stretch, 1e-3);
        session->reset();
        EXPECT_EQ(session->hash(), start);
    }
}

// Shells grow where strands would: not on the face, nor on parts that grow no hair.
TEST(fur_session, shells_grow_on_the_cap_of_a_head) {
    Result<Session> session = open(
        "bust", {"fur.style=shells", "fur.length=0.05", "groom.strands=0", "groom.scalp=auto"});
    ASSERT_TRUE(session) << session.error().text();
    session->impl().advance_to(0);
    const FurView view = picture_of(*session).furs.at(0);
    const Mesh& head = session->impl().actors.front().head_mesh->mesh;
    const Hairline hairline(find_skull(head));
    int grown = 0;
    for (std::size_t i = 0; i < view.pelt->positions.size(); ++i) {
        if (view.pelt->lengths[i] == 0) continue;
        ++grown;
        EXPECT_GT(hairline.depth(view.pelt->positions[i]), -0.005f);  // an irregular border
    }
    EXPECT_GT(grown, 50);
    EXPECT_LT(view.pelt->vertex_count(), static_cast<int>(head.positions.size()));
}

// The bunny has no part of the default name.
TEST(fur_session, a_mesh_without_a_scalp_grows_fur_of_either_style) {
    for (const char* style : {"shells", "strands"}) {
        const Result<Session> session =
            open("bunny", {"groom.scalp=scalp", std::string("fur.style=") + style});
        EXPECT_TRUE(session) << session.error().text();
    }
}

TEST(fur_session, fur_lags_behind_a_moving_head) {
    Result<Session> session = open("bunny");
    ASSERT_TRUE(session);
    const auto tips = [&] {
        session->impl().advance_to(session->time() + 0.02);
        const FurView view = picture_of(*session).furs.at(0);
        return std::vector<PackedTip>(view.tips.begin(), view.tips.end());
    };
    const std::vector<PackedTip> still = tips();
    while (session->time() < 0.6) session->step();  // the first hop
    const std::vector<PackedTip> hopping = tips();
    double turned = 0;
    for (std::size_t i = 0; i < still.size(); ++i)
        turned += std::abs(hopping[i].y - still[i].y) / 32767.0;
    EXPECT_GT(turned / static_cast<double>(still.size()), 0.03);
}

TEST(fur_session, density_and_length_can_change_while_it_runs) {
    Result<Session> session = open("bunny");
    ASSERT_TRUE(session);
    session->impl().advance_to(0);
    FurSettings& fur = session->impl().actors.front().scene.fur;
    const FurView before = picture_of(*session).furs.at(0);
    fur.length *= 2;
    fur.density = 1.5f;
    session->step();
    const FurView after = picture_of(*session).furs.at(0);
    EXPECT_EQ(after.settings.density, 1.5f);
    EXPECT_EQ(after.pelt_number, before.pelt_number);  // nothing is uploaded again
    const FurCoat& coat = session->impl().actors.front().fur->coat();
    EXPECT_FLOAT_EQ(coat.length(), 2 * before.settings.length * before.unit);
    EXPECT_LT(coat.max_stretch(), 1e-3);
}

TEST(fur_session, fur_style_switches_between_shells_and_strands) {
    Result<Session> session = open("bunny", {"groom.strands=300", "fur.style=strands"});
    ASSERT_TRUE(session) << session.error().text();
    EXPECT_EQ(session->strand_count(), 300);
    EXPECT_EQ(session->report().model, "rod");
    session->step();
    session->impl().advance_to(session->time());
    // The innermost shell is drawn under the strands.
    EXPECT_EQ(picture_of(*session).furs.at(0).settings.style, FurStyle::strands);
    EXPECT_FALSE(picture_of(*session).furs.at(0).tips.empty());
    Scene& scene = session->impl().actors.front().scene;
    scene.groom.strands = 0;
    scene.fur.style = FurStyle::shells;
    ASSERT_TRUE(session->impl().rebuild());
    EXPECT_EQ(session->strand_count(), 0);
    session->impl().advance_to(0);
    EXPECT_EQ(picture_of(*session).furs.size(), 1u);
}

TEST(fur_session, strands_have_the_rest_shape_of_the_shells) {
    Result<Session> session = open("bunny", {"groom.strands=300", "fur.style=strands"});
    ASSERT_TRUE(session);
    const Channel<3>& rest = *session->impl().strands(When::at_rest).position;
    // Strands are bent by gravity and the comb but keep their length.
    double lowered = 0;
    for (int s = 0; s < session->strand_count(); ++s) {
        const Vec3f root = rest.vec3(s, 0);
        const Vec3f first = rest.vec3(s, 1) - root;
        const Vec3f last = rest.vec3(s, 5) - rest.vec3(s, 4);
        EXPECT_NEAR(norm(last) / norm(first), 1, 1e-2f);
        lowered += double{unit_or(first, Vec3f{0, 1, 0}).y - unit_or(last, Vec3f{0, 1, 0}).y};
    }
    EXPECT_GT(lowered / session->strand_count(), 0.2);
}

TEST(fur_session, rejects_fur_without_a_surface) {
    const Result<Session> nowhere = open("bunny", {"groom.scalp=moustache"});
    ASSERT_FALSE(nowhere);
    EXPECT_NE(nowhere.error().text().find("moustache"), std::string::npos)
        << nowhere.error().text();
    const Result<Session> nothing = open("bunny", {"groom.mesh="});
    ASSERT_FALSE(nothing);
    EXPECT_NE(nothing.error().text().find("groom.mesh"), std::string::npos)
        << nothing.error().text();
    EXPECT_FALSE(open("bunny", {"fur.style=feathers"}));
    EXPECT_FALSE(open("bunny", {"fur.shells=1"}));
}

TEST(fur_session, turbulence_moves_the_tips) {
    const auto tips_after = [](std::vector<std::string> air) {
        air.push_back("wind.velocity=[2,0,0]");
        Result<Session> session = open("bunny", std::move(air));
        EXPECT_TRUE(session) << session.error().text();
        for (int k = 0; k < 8; ++k) session->step();
        const FurCoat& coat = session->impl().actors.front().fur->coat();
        std::vector<Vec3f> tips;
        for (int i = 0; i < coat.vertex_count(); ++i) tips.push_back(coat.tip(i));
        return tips;
    };
    const std::vector<Vec3f> steady = tips_after({"wind.turbulence=0"});
    const std::vector<Vec3f> seeded = tips_after({"wind.turbulence=0", "wind.turbulence_seed=7"});
    const std::vector<Vec3f> gusty = tips_after({"wind.turbulence=2", "wind.turbulence_size=0.1"});
    double moved = 0, along = 0;
    for (std::size_t i = 0; i < steady.size(); ++i) {
        EXPECT_EQ(norm(steady[i] - seeded[i]), 0);
        const Vec3f by = gusty[i] - steady[i];
        moved += double{norm(by)};
        along += double{by.x};
    }
    // Turbulence has zero mean: tips move in both directions.
    EXPECT_GT(moved / double(steady.size()), 0.002);
    EXPECT_LT(std::abs(along), 0.5 * moved);
}

TEST(fur_session, a_frame_uploads_only_the_tips) {
    Result<Session> session = open("bunny");
    ASSERT_TRUE(session);
    session->impl().advance_to(0);
    const FurView view = picture_of(*session).furs.at(0);
    EXPECT_EQ(view.tips.size_bytes(), view.pelt->positions.size() * 8);
}

}  // namespace
}  // namespace ringlet
