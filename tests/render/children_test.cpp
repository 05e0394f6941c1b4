// Children that a shader computes from the motions of their guides give the same image as children
// that the CPU computes.
#include <fstream>

#include "guided_fixture.h"
#include "picture_fixture.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "test_level.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

constexpr int kSide = 200;

Session opened(const std::string& scene, std::vector<std::string> overrides) {
    for (const char* text : {"record.settle=0", "sim.substeps=1", "sim.model=ftl"})
        overrides.emplace_back(text);
    Result<Session> session = Session::open(scene, {.overrides = std::move(overrides)});
    EXPECT_TRUE(session) << session.error().text();
    return std::move(*session);
}

class children_on_gpu : public PictureTest {
protected:
    void TearDown() override {
        renderer_->compute_children(false);
        PictureTest::TearDown();
    }

    Image draw_by(bool shader, const Picture& picture) {
        renderer_->compute_children(shader);
        const Image image = draw(picture, kSide, kSide);
        EXPECT_EQ(renderer_->drew_computed_children(), shader);
        return image;
    }

    // Draws frames of a session by both ways and returns the last one.
    Image expect_same(Session& session, int frames = 3) {
        Image last;
        for (int frame = 0; frame < frames; ++frame) {
            session.impl().advance_to(0.043 * frame);
            const Picture picture = picture_of(session);
            const Image by_shader = draw_by(true, picture);
            last = draw_by(false, picture);
            EXPECT_LT(mean_difference(by_shader, last), 0.05) << "frame " << frame;
            EXPECT_LE(largest_difference(by_shader, last), 3) << "frame " << frame;
        }
        return last;
    }
};

const std::vector<std::string> kShaken{"head.motion=shake", "head.amplitude=0.2",
                                       "head.frequency=2"};

std::vector<std::string> with(std::vector<std::string> list, std::vector<std::string> more) {
    list.insert(list.end(), more.begin(), more.end());
    return list;
}

TEST_F(children_on_gpu, look_the_same_while_the_head_moves) {
    RINGLET_TEST_FROM(full);
    Session session = opened("curls", with(kShaken, {"groom.strands=1500", "groom.guides=60"}));
    const Groom& groom = session.impl().actors.front().groom;
    EXPECT_LT(groom.first_patch_strand(), groom.strand_count()) << "no strands without guides";
    EXPECT_TRUE(session.impl().actors.front().scene.world.neck) << "the skin is rigid";
    const Image moved = expect_same(session, 4);
    Session still = opened("curls", {"groom.strands=1500", "groom.guides=60"});
    EXPECT_GT(mean_difference(expect_same(still, 1), moved), 1) << "nothing moves";
}

TEST_F(children_on_gpu, follow_guides_with_other_vertex_counts) {
    GuidedTuft tuft;
    Picture picture;
    picture.strands = tuft.view();
    Image still;
    for (const float sway : {0.0f, 0.01f, 0.03f}) {
        tuft.pose(sway);
        const Image by_shader = draw_by(true, picture), by_host = draw_by(false, picture);
        EXPECT_LT(mean_difference(by_shader, by_host), 0.05) << sway;
        EXPECT_LE(largest_difference(by_shader, by_host), 3) << sway;
        if (sway == 0)
            still = by_host;
        else
            EXPECT_GT(largest_difference(by_host, still), 50);
    }
}

TEST_F(children_on_gpu, on_a_rigid_head_look_the_same) {
    Session session = opened(
        "straight", with(kShaken, {"groom.strands=2000", "groom.guides=90", "head.neck=rigid"}));
    ASSERT_FALSE(session.impl().actors.front().scene.world.neck);
    expect_same(session);
}

TEST_F(children_on_gpu, of_several_heads_look_the_same) {
    RINGLET_TEST_FROM(full);
    const TempFolder folder;
    std::ofstream(folder / "scene.toml")
        << "base = 'curls'\n[groom]\nstrands = 1200\nguides = 60\n"
           "[render]\nhair_width = 5\n[camera]\neye = [0, 0.4, 3]\ntarget = [0, 0.27, 0]\n"
           "field_of_view = 30\n"
           "[[actor]]\nat = [-0.45, 0, 0]\nturn = 40\n"
           "[[actor]]\nset = ['groom.strands=70', 'groom.guides=0']\n"  // no children
           "[[actor]]\nat = [0.45, 0.1, -0.2]\nturn = -70\n";
    Session session = opened((folder / "scene.toml").string(), kShaken);
    expect_same(session);
}

TEST_F(children_on_gpu, level_of_detail_drops_the_same_strands) {
    RINGLET_TEST_FROM(full);
    for (const std::string few : {"render.lod=4", "render.strands=700"}) {
        Session session =
            opened("curls", with(kShaken, {"groom.strands=3000", "groom.guides=100", few}));
        expect_same(session, 2);
    }
}

TEST_F(children_on_gpu, the_host_does_not_compute_them) {
    Session session = opened("bob", {"groom.strands=800", "groom.guides=40"});
    session.impl().advance_to(0.03);
    const Picture picture = picture_of(session);
    const std::size_t before = session.impl().byte_count();
    ASSERT_TRUE(picture.strands.deferred);
    draw_by(true, picture);
    EXPECT_EQ(session.impl().byte_count(), before);
    draw_by(false, picture);
    EXPECT_GT(session.impl().byte_count(), before);
}

TEST_F(children_on_gpu, are_not_deferred_where_guides_are_many) {
    Session session = opened("bob", {"groom.strands=800", "groom.guides=700"});
    session.impl().advance_to(0);
    EXPECT_FALSE(picture_of(session).strands.deferred);
}

}  // namespace
}  // namespace ringlet
