// The GPU moves strands by the CPU's bits: every built-in scene, every model, hash against hash.
#include <gtest/gtest.h>

#include "ringlet/ringlet.h"
#include "session/parts.h"
#include "session/scene_source.h"
#include "sim/models/registry.h"

namespace ringlet {
namespace {

// Enough for several warps, the last of them not full.
constexpr int kStrands = 75, kFewStrands = 11, kFrames = 8;

std::vector<std::string> scene_names() {
    std::vector<std::string> out;
    for (const SceneInfo& scene : builtin_scenes()) out.push_back(scene.name);
    return out;
}

std::string hash_of_run(Session& session, Backend backend) {
    session.parts().options.backend = backend;
    EXPECT_TRUE(session.parts().rebuild());
    for (int frame = 0; frame < kFrames; ++frame) session.step();
    return session.hash();
}

void expect_same_bits(Session& session, const std::string& what) {
    const std::string cpu = hash_of_run(session, Backend::cpu);
    const Report on_cpu = session.report();
    EXPECT_EQ(hash_of_run(session, Backend::cuda), cpu) << what;
    const Report on_device = session.report();
    EXPECT_EQ(on_device.max_stretch, on_cpu.max_stretch) << what;
    EXPECT_EQ(on_device.repaired_strand, on_cpu.repaired_strand) << what;
}

class OnDevice : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        const Result<void> there = check_backend(Backend::cuda);
        if (!there) GTEST_SKIP() << there.error().text();
    }
};

TEST_P(OnDevice, every_model_gives_the_bits_of_the_cpu) {
    const Result<Scene> whole = load_scene(GetParam(), {});
    ASSERT_TRUE(whole);
    const bool alone = whole->actors.empty();
    SessionOptions options;
    options.overrides = {"record.settle=0.05"};
    const int most = alone ? kStrands : kFewStrands;
    if (whole->groom.strands > most || !alone)
        options.overrides.push_back("groom.strands=" + std::to_string(most));
    Result<Session> session = Session::open(GetParam(), options);
    ASSERT_TRUE(session) << session.error().text();
    if (!alone) {  // actors choose their models themselves
        expect_same_bits(*session, GetParam());
        return;
    }
    for (int model = 0; model < std::ssize(all_models()); ++model) {
        session->parts().actors.front().scene.sim.model = model;
        expect_same_bits(*session, all_models()[static_cast<std::size_t>(model)].name);
    }
}

INSTANTIATE_TEST_SUITE_P(every_scene, OnDevice, testing::ValuesIn(scene_names()),
                         [](const auto& scene) { return scene.param; });

// What the scenes do not reach: each key with the models it concerns.
class OnDeviceAlso : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(OnDeviceAlso, rare_settings_give_the_bits_of_the_cpu) {
    const Result<void> there = check_backend(Backend::cuda);
    if (!there) GTEST_SKIP() << there.error().text();
    for (const ModelEntry& model : all_models()) {
        SessionOptions options{.overrides = GetParam()};
        options.overrides.insert(
            options.overrides.begin(),
            {"groom.strands=75", "record.settle=0.05", std::string("sim.model=") + model.name});
        Result<Session> session = Session::open("curls", options);
        ASSERT_TRUE(session) << session.error().text();
        expect_same_bits(*session, model.name);
    }
}

INSTANTIATE_TEST_SUITE_P(
    settings, OnDeviceAlso,
    testing::Values(std::vector<std::string>{"sim.contact=penalty"},
                    std::vector<std::string>{"sim.carry=0.5"},
                    std::vector<std::string>{"sim.rod.ellipse=0.6", "sim.rod.damping=0.01"},
                    std::vector<std::string>{"hair_hair.friction=4", "hair_hair.volume=4",
                                             "hair_hair.repulsion=2", "hair_hair.cell=0.03"},
                    std::vector<std::string>{"hair_hair.friction=4", "hair_hair.cell=0.001"},
                    std::vector<std::string>{"wind.shelter=0.9", "hair_hair.volume=2"},
                    std::vector<std::string>{"sim.hold_roots=false"},
                    std::vector<std::string>{"sim.clamp_root=false"}));

}  // namespace
}  // namespace ringlet
