// The same bits for any number of threads, any lane width, run after run, -O0 and -O3: one pinned
// hash per built-in scene and model. A change here must be on purpose, and its commit says why.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "ringlet/ringlet.h"
#include "session/assets/builtin_cache.h"
#include "session/assets/scene_source.h"
#include "session/live/session_impl.h"
#include "sim/models/registry.h"
#include "test_level.h"
#include "test_paths.h"

namespace ringlet {
namespace {

// Small enough for -O0 and sanitizers, large enough to fill blocks and touch every stage.
constexpr int kStrands = 53, kFrames = 12;
// Per actor of a scene with several, and for models that a scene does not use itself.
constexpr int kFewStrands = 11, kFewFrames = 4;

SessionOptions small_run(const Scene& whole) {
    SessionOptions options;
    options.overrides = {"record.settle=0.05"};
    options.threads = 3;
    const int most = whole.actors.empty() ? kStrands : kFewStrands;
    if (whole.groom.strands > most || !whole.actors.empty() || whole.fur.style == FurStyle::strands)
        options.overrides.push_back("groom.strands=" + std::to_string(most));
    return options;
}

// Whether the hair of each scene grows several times and runs with all kinds of lanes. Otherwise it
// grows once, which takes most of the time at -O0 and with sanitizers, and one scene of each model
// runs with all kinds of lanes.
bool compares_every_scene() {
#ifdef __OPTIMIZE__
    return test_level() >= TestLevel::full;
#else
    return false;
#endif
}

// Runs the scene from its start. Keeps the grown hair, which takes longer than the run.
std::string hash_of_run(Session& session, int threads, Lanes lanes, int frames) {
    session.impl().pool = TaskPool(threads);
    session.impl().options.lanes = lanes;
    session.impl().restart();
    for (int frame = 0; frame < frames; ++frame) session.step();
    return session.hash();
}

// Grows the hair again, but keeps the head's skin.
void regrow(Session& session, int threads) {
    session.impl().pool = TaskPool(threads);
    EXPECT_TRUE(session.impl().rebuild());
}

// The pinned hashes; a key is "scene model".
std::map<std::string, std::string> pinned_hashes() {
    std::ifstream in(std::string(kSourceFolder) + "/tests/determinism/pinned_hashes.txt");
    std::map<std::string, std::string> out;
    for (std::string scene, model, hash; in >> scene >> model >> hash;)
        out[scene + " " + model] = hash;
    return out;
}

std::vector<std::string> scene_names() {
    std::vector<std::string> out;
    for (const SceneInfo& scene : builtin_scenes()) out.push_back(scene.name);
    return out;
}

class SameBits : public testing::TestWithParam<std::string> {
protected:
    // With the settings of the session and the hair that it has grown.
    void expect_pinned(Session& session, int frames) {
        const std::string model = session.report().model, name = GetParam() + " " + model;
        const std::string hash = hash_of_run(session, 3, Lanes::automatic, frames);
        const std::map<std::string, std::string> pinned = pinned_hashes();
        const auto found = pinned.find(name);
        if (found == pinned.end())
            ADD_FAILURE() << "to pin: " << name << " " << hash;
        else
            EXPECT_EQ(hash, found->second) << name;
        static std::set<std::string> compared;
        if (!compared.insert(model).second && !compares_every_scene()) return;
        EXPECT_EQ(hash_of_run(session, 1, Lanes::scalar, frames), hash) << name;
        // Sanitizers do not check the other kinds of lanes.
        if (!kSanitized) {
            EXPECT_EQ(hash_of_run(session, 2, Lanes::wide8, frames), hash) << name;
        }
    }
};

TEST_P(SameBits, hash_is_the_pinned_one_for_any_model_threads_and_lanes) {
    const Result<Scene> whole = load_scene(GetParam(), {});
    ASSERT_TRUE(whole) << whole.error().text();
    Result<Session> session = Session::open(GetParam(), small_run(*whole));
    ASSERT_TRUE(session) << session.error().text();
    const bool alone = whole->actors.empty();
    if (compares_every_scene()) regrow(*session, 1);
    expect_pinned(*session, alone ? kFrames : kFewFrames);
    if (!compares_every_scene()) return;
    const std::string on_one = hash_of_run(*session, 1, Lanes::automatic, 2);
    regrow(*session, 3);
    for (const int threads : {2, 3, 8})
        EXPECT_EQ(hash_of_run(*session, threads, Lanes::automatic, 2), on_one) << threads;
    if (!alone) return;                  // actors choose their models themselves
    if (has_shells(whole->fur)) return;  // shells have no model to choose
    Scene& scene = session->impl().actors.front().scene;
    scene.groom.strands = std::min(scene.groom.strands, kFewStrands);
    regrow(*session, 2);
    for (int model = 0; model < std::ssize(all_models()); ++model) {
        if (model == whole->sim.model) continue;
        scene.sim.model = model;
        expect_pinned(*session, kFewFrames);
    }
}

INSTANTIATE_TEST_SUITE_P(every_scene, SameBits, testing::ValuesIn(scene_names()),
                         [](const auto& scene) { return scene.param; });

TEST(same_bits, the_skin_is_the_same_on_any_number_of_threads) {
    // The runs above share one skin; here each session makes its own.
    std::string first;
    for (const int threads : {1, 3}) {
        builtin_skins().clear();
        builtin_bodies().clear();
        Result<Session> session = Session::open(
            "bob", {.overrides = {"groom.strands=30", "record.settle=0"}, .threads = threads});
        ASSERT_TRUE(session);
        if (first.empty()) first = session->hash();
        EXPECT_EQ(session->hash(), first);
    }
}

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
