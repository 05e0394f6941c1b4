// Strands displayed between two steps have the same bits on the GPU and on the CPU, guides and
// children alike.
#include <gtest/gtest.h>

#include <fstream>

#include "ringlet/ringlet.h"
#include "session/live/session_impl.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

constexpr int kFrames = 8;

class OnDeviceShown : public testing::Test {
protected:
    void SetUp() override {
        const Result<void> there = check_backend(Backend::cuda);
        if (!there) GTEST_SKIP() << there.error().text();
    }

    static Session opened(const std::string& scene, std::vector<std::string> overrides) {
        overrides.push_back("record.settle=0.05");
        Result<Session> session = Session::open(scene, {.overrides = overrides});
        EXPECT_TRUE(session) << session.error().text();
        return std::move(*session);
    }
    // A time between two steps.
    static std::vector<Vec3f> shown_by(Session& session, Backend backend) {
        session.impl().options.backend = backend;
        EXPECT_TRUE(session.impl().rebuild());
        for (int frame = 0; frame < kFrames; ++frame) session.impl().advance_to(0.018 * frame);
        return unpack(session.impl().strands(When::displayed).on_host());
    }
    static void expect_same_bits(Session& session) {
        const std::vector<Vec3f> cpu = shown_by(session, Backend::cpu);
        const std::vector<Vec3f> device = shown_by(session, Backend::cuda);
        ASSERT_EQ(cpu.size(), device.size());
        for (std::size_t k = 0; k < cpu.size(); ++k) {
            ASSERT_EQ(bits_of(cpu[k].x), bits_of(device[k].x)) << "vertex " << k;
            ASSERT_EQ(bits_of(cpu[k].y), bits_of(device[k].y)) << "vertex " << k;
            ASSERT_EQ(bits_of(cpu[k].z), bits_of(device[k].z)) << "vertex " << k;
        }
    }
};

TEST_F(OnDeviceShown, simulated_strands_have_the_bits_of_the_cpu) {
    Session session = opened("curls", {"groom.strands=75"});
    expect_same_bits(session);
}

TEST_F(OnDeviceShown, children_have_the_bits_of_the_cpu) {
    for (const std::string scene : {"bob", "afro", "long_curls", "mohawk", "wind"}) {
        SCOPED_TRACE(scene);
        Session session = opened(scene, {"groom.strands=300", "groom.guides=45"});
        ASSERT_TRUE(session.impl().actors.front().groom.children());
        expect_same_bits(session);
    }
}

TEST_F(OnDeviceShown, children_of_several_heads_have_the_bits_of_the_cpu) {
    Session session = opened("crowd", {"groom.strands=70", "groom.guides=11"});
    expect_same_bits(session);
}

TEST_F(OnDeviceShown, children_follow_a_skin_that_moves) {
    const TempFolder folder;
    const auto put = [&](const std::string& name, const std::string& text) {
        std::ofstream(folder / name) << text;
    };
    for (int k = 0; k < 3; ++k) {
        const std::string up = std::to_string(0.02 * k), wide = std::to_string(0.2 + 0.02 * k);
        const std::string quad = "v -" + wide + " " + up + " 0.2\nv " + wide + " 0 0.2\nv " + wide +
                                 " " + up + " -0.2\nv -" + wide + " 0 -0.2\n" +
                                 "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n";
        put("f" + std::to_string(k) + ".obj", quad);
    }
    put("scene.toml",
        "[groom]\nmesh = 'f0.obj'\nscalp = ''\nstrands = 90\nguides = 13\nvertices = 7\n"
        "length = 0.05\n[sim]\nmodel = 'pbd'\n[head]\nsequence_fps = 10\n"
        "sequence = 'f#.obj'\n");
    Session session = opened((folder / "scene.toml").string(), {});
    ASSERT_FALSE(session.impl().actors.front().groom.skin_motions(0, {}, TaskPool(1)).empty());
    expect_same_bits(session);
}

TEST_F(OnDeviceShown, children_on_a_turning_neck_have_the_bits_of_the_cpu) {
    Session session = opened(
        "straight", {"groom.strands=300", "groom.guides=45", "groom.scalp=", "head.motion=turn",
                     "head.amplitude=1", "head.frequency=2"});
    ASSERT_FALSE(session.impl().actors.front().groom.root_shares().empty());
    expect_same_bits(session);
    const DisplayedActor& displayed = session.impl().actors.front().displayed;
    EXPECT_GT(norm(rotate(displayed.head.rotation, Vec3f{0, 0, 1}) -
                   rotate(displayed.shoulders.rotation, Vec3f{0, 0, 1})),
              0.05f);
}

// The bounds and the sample that a renderer requests of strands on a device.
TEST_F(OnDeviceShown, survey_finds_their_bounds_and_samples_every_seventh_strand) {
    Session session = opened("bob", {"groom.strands=300", "groom.guides=45"});
    const std::vector<Vec3f> all = shown_by(session, Backend::cuda);
    DevicePositions* const there = session.impl().strands(When::displayed).deferred->on_device();
    ASSERT_TRUE(there);
    StrandSurvey survey;
    there->survey(1e4f, 7, survey);
    Vec3f low = all.front(), high = low;
    for (const Vec3f p : all) {
        low = {min(low.x, p.x), min(low.y, p.y), min(low.z, p.z)};
        high = {max(high.x, p.x), max(high.y, p.y), max(high.z, p.z)};
    }
    EXPECT_EQ(norm(survey.low - low), 0);
    EXPECT_EQ(norm(survey.high - high), 0);
    const StrandLayout& layout = *session.impl().layout();
    std::size_t next = 0, picked = 0;
    for (int s = 0; s < layout.strand_count(); ++s)
        for (int i = 0; i < layout.vertex_count(s); ++i, ++next) {
            if (s % 7 != 0) continue;
            ASSERT_LT(picked, survey.sample.size());
            EXPECT_EQ(norm(survey.sample[picked++] - all[next]), 0);
        }
    EXPECT_EQ(picked, survey.sample.size());
}

}  // namespace
}  // namespace ringlet
