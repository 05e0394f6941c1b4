// The same bits for any number of threads, any lane width, run after run, -O0 and -O3: one pinned
// hash per built-in scene. A change here must be on purpose, and its commit says why.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "ringlet/ringlet.h"
#include "session/scene_source.h"

namespace ringlet {
namespace {

// Small enough for -O0 and sanitizers, large enough to fill blocks and touch every stage.
SessionOptions small_run(const std::string& scene) {
    SessionOptions options;
    options.overrides = {"record.settle=0.05"};
    const Result<Scene> whole = load_scene(scene, {});
    EXPECT_TRUE(whole) << scene;
    if (whole && whole->groom.strands > 53) options.overrides.push_back("groom.strands=53");
    return options;
}

std::string hash_of_run(const std::string& scene, SessionOptions options, int threads,
                        Lanes lanes) {
    options.threads = threads;
    options.lanes = lanes;
    Result<Session> session = Session::open(scene, options);
    EXPECT_TRUE(session) << scene;
    if (!session) return "";
    for (int frame = 0; frame < 12; ++frame) session->step();
    return session->hash();
}

std::map<std::string, std::string> pinned_hashes() {
    std::ifstream in(RINGLET_SOURCE_DIR "/tests/determinism/pinned_hashes.txt");
    std::map<std::string, std::string> out;
    for (std::string scene, hash; in >> scene >> hash;) out[scene] = hash;
    return out;
}

std::vector<std::string> scene_names() {
    std::vector<std::string> out;
    for (const SceneInfo& scene : builtin_scenes()) out.push_back(scene.name);
    return out;
}

class SameBits : public testing::TestWithParam<std::string> {};

TEST_P(SameBits, hash_is_the_pinned_one_for_any_threads_and_lanes) {
    const std::string& scene = GetParam();
    const SessionOptions small = small_run(scene);
    const std::string scalar = hash_of_run(scene, small, 1, Lanes::scalar);
    const std::map<std::string, std::string> pinned = pinned_hashes();
    ASSERT_TRUE(pinned.contains(scene)) << "to pin: " << scene << " " << scalar;
    EXPECT_EQ(scalar, pinned.at(scene));
    for (const int threads : {1, 3, 8})
        EXPECT_EQ(hash_of_run(scene, small, threads, Lanes::automatic), scalar) << threads;
    EXPECT_EQ(hash_of_run(scene, small, 2, Lanes::wide8), scalar);
}

INSTANTIATE_TEST_SUITE_P(every_scene, SameBits, testing::ValuesIn(scene_names()),
                         [](const auto& scene) { return scene.param; });

TEST(same_bits, a_session_that_is_reset_repeats_itself) {
    Result<Session> session = Session::open("figure3c", {.overrides = {"groom.strands=9"}});
    ASSERT_TRUE(session);
    const std::string start = session->hash();
    for (int frame = 0; frame < 5; ++frame) session->step();
    const std::string first = session->hash();
    EXPECT_NE(first, start);
    session->reset();
    EXPECT_EQ(session->hash(), start);
    for (int frame = 0; frame < 5; ++frame) session->step();
    EXPECT_EQ(session->hash(), first);
}

TEST(same_bits, another_seed_is_another_groom) {
    Result<Session> a = Session::open("figure3c", {.overrides = {"groom.strands=9"}});
    Result<Session> b =
        Session::open("figure3c", {.overrides = {"groom.strands=9", "groom.seed=2"}});
    ASSERT_TRUE(a && b);
    EXPECT_NE(a->hash(), b->hash());
}

}  // namespace
}  // namespace ringlet
