// The GPU computes the same bits as the CPU: compares the hashes of every built-in scene and model.
#include <gtest/gtest.h>

#include "ringlet/ringlet.h"
#include "session/assets/scene_source.h"
#include "session/live/session_impl.h"
#include "sim/models/registry.h"
#include "unit/growing_ball.h"
#include "validate/lab.h"

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
    session.impl().options.backend = backend;
    EXPECT_TRUE(session.impl().rebuild());
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
    EXPECT_EQ(on_device.strain_limited_strands, on_cpu.strain_limited_strands) << what;
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
        session->impl().actors.front().scene.sim.model = model;
        expect_same_bits(*session, all_models()[static_cast<std::size_t>(model)].name);
    }
}

INSTANTIATE_TEST_SUITE_P(every_scene, OnDevice, testing::ValuesIn(scene_names()),
                         [](const auto& scene) { return scene.param; });

// Settings that no built-in scene uses, each with the models that it affects.
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
                    std::vector<std::string>{"sim.follow_head=0.5"},
                    std::vector<std::string>{"sim.drag=slender_body", "wind.velocity=[2,0,1]",
                                             "wind.turbulence=1"},
                    std::vector<std::string>{"sim.rod.aspect_ratio=0.6", "sim.rod.damping=0.01"},
                    std::vector<std::string>{"sim.rod.integrator=backward_euler", "sim.substeps=2",
                                             "sim.rod.damping=0.001"},
                    std::vector<std::string>{"sim.pbd.integrator=second_order", "sim.substeps=4"},
                    std::vector<std::string>{"sim.substeps=3", "sim.rod.solves=1",
                                             "sim.rod.aspect_ratio=0.6"},
                    std::vector<std::string>{"sim.substeps=2", "sim.hold_roots=false"},
                    std::vector<std::string>{"hair_hair.friction=4", "hair_hair.volume=4",
                                             "hair_hair.repulsion=2", "hair_hair.cell=0.03"},
                    std::vector<std::string>{"hair_hair.friction=4", "hair_hair.cell=0.001"},
                    std::vector<std::string>{"wind.shelter=0.9", "hair_hair.volume=2"},
                    std::vector<std::string>{"sim.hold_roots=false"},
                    std::vector<std::string>{"sim.clamp_root=false"}));

// Enough strands for the queue of strands that a first attempt gives up (sim/cuda/work_queue.h).
class OnDeviceManyStrands : public testing::TestWithParam<const char*> {};

TEST_P(OnDeviceManyStrands, rods_repeated_in_other_warps_have_the_bits_of_the_cpu) {
    const Result<void> there = check_backend(Backend::cuda);
    if (!there) GTEST_SKIP() << there.error().text();
    SessionOptions options{.overrides = {"groom.strands=250000", "groom.guides=0",
                                         "groom.vertices=8", "groom.grow_patches=false",
                                         "record.settle=0", "sim.model=rod", "sim.substeps=2",
                                         "head.motion=shake", GetParam()}};
    Result<Session> session = Session::open("curls", options);
    ASSERT_TRUE(session) << session.error().text();
    expect_same_bits(*session, GetParam());
}

INSTANTIATE_TEST_SUITE_P(solves, OnDeviceManyStrands,
                         testing::Values("sim.rod.solves=1", "sim.rod.solves=2"));

// One simulation on the CPU and one on the device, with the same steps.
class TwoSimulations : public testing::TestWithParam<int> {
protected:
    void SetUp() override {
        const Result<void> there = check_backend(Backend::cuda);
        if (!there) GTEST_SKIP() << there.error().text();
    }
    void begin(const StrandSet& rest, const World& world) {
        SimSettings settings;
        settings.model = GetParam();
        settings.hair_hair.friction = 2;
        both_.clear();
        for (const bool on_device : {false, true})
            both_.push_back(
                std::make_unique<Simulation>(rest, settings, world, 1, LaneKind::automatic, 0,
                                             on_device ? std::move(*open_cuda_device()) : nullptr));
    }
    template <class Change>
    void on_both(const Change& change) {
        for (const auto& one : both_) change(*one);
    }
    void step(int frames) {
        on_both([&](Simulation& one) {
            for (int k = 0; k < frames; ++k) one.step(pool_);
        });
    }
    void expect_same_hash(const char* when) {
        std::string hashes[2];
        for (std::size_t k = 0; k < 2; ++k)
            hashes[k] = hash_of(both_[k]->state().x, both_[k]->state().v).hex();
        EXPECT_EQ(hashes[0], hashes[1]) << when;
    }
    // All figures are equal to the last bit, and measuring does not move the state off the device.
    void expect_same_figures(const char* when) {
        const Measurement cpu = both_[0]->measure(pool_), device = both_[1]->measure(pool_);
        EXPECT_EQ(device.max_stretch, cpu.max_stretch) << when;
        EXPECT_EQ(device.sum_stretch, cpu.sum_stretch) << when;
        EXPECT_EQ(device.segment_count, cpu.segment_count) << when;
        EXPECT_EQ(device.stretch_p99, cpu.stretch_p99) << when;
        EXPECT_EQ(device.max_penetration, cpu.max_penetration) << when;
        EXPECT_EQ(device.penetrating_vertices, cpu.penetrating_vertices) << when;
        EXPECT_EQ(device.nonfinite_vertices, cpu.nonfinite_vertices) << when;
    }

    TaskPool pool_{1};
    std::vector<std::unique_ptr<Simulation>> both_;
};

// Hanging in rings around the y axis, of several vertex counts.
StrandSet strands_around(int count, int vertices) {
    std::vector<std::vector<Vec3f>> lines;
    for (int k = 0; k < count; ++k) {
        const SinCos<float> turn = sin_cos(2.4f * static_cast<float>(k % 500));
        const float radius = 0.03f + 0.0002f * static_cast<float>(k % 500);
        lines.push_back(lab::straight_line({radius * turn.cos, 0.16f, radius * turn.sin},
                                           {0, -1, 0}, 0.3f, vertices + k % 3));
    }
    return lab::strands_of(lines);
}

World ball_world(float radius) {
    World out;
    out.colliders.push_back({.shape = ColliderShape::sphere, .radius = radius, .attached = false});
    out.wind.velocity = {1, 0, 0};
    return out;
}

Collider& add_mesh(World& world, std::shared_ptr<const MeshBody> body) {
    Collider& out = world.colliders.emplace_back();
    out.shape = ColliderShape::mesh;
    out.body = std::move(body);
    return out;
}

TEST_P(TwoSimulations, measure_the_same_figures) {
    const int strands = 5000;  // enough that the reduction takes two levels
    begin(strands_around(strands, 6), ball_world(0.08f));
    expect_same_figures("at the start");
    step(2);
    expect_same_figures("after two steps");
    on_both([&](Simulation& one) {
        SimState& state = one.state();
        lab::kick(state, 3);
        for (int s = 0; s < strands; s += 7)
            state.x.set_vec3(s, 3, state.x.vec3(s, 3) * (1 + 0.0001f * static_cast<float>(s)));
        state.x.at(17, 2, 1) = std::numeric_limits<float>::quiet_NaN();
        state.v.at(4321, 5, 0) = std::numeric_limits<float>::infinity();
    });
    expect_same_figures("broken by hand");
    const Measurement broken = both_[1]->measure(pool_);
    EXPECT_EQ(broken.nonfinite_vertices, 2);
    EXPECT_GT(broken.penetrating_vertices, 50);
    EXPECT_LT(broken.stretch_p99, broken.max_stretch);
    step(1);
    expect_same_figures("repaired by the model");
}

// Solves that overflow, and strands that the models reset.
TEST_P(TwoSimulations, give_the_same_bits_at_any_speed) {
    for (const float speed : {1e3f, 1e4f, 1e10f, 1e18f, 1e24f, 1e30f}) {
        begin(strands_around(150, 6), ball_world(0.08f));
        on_both([&](Simulation& one) {
            for (const int strand : {20, 140}) one.state().v.set_vec3(strand, 3, {speed, speed, 0});
        });
        step(3);
        const std::string when = "at " + std::to_string(speed) + " m/s";
        expect_same_hash(when.c_str());
        EXPECT_EQ(both_[0]->collect_repaired(), both_[1]->collect_repaired()) << when;
        EXPECT_EQ(both_[0]->collect_strain_limited(), both_[1]->collect_strain_limited()) << when;
    }
}

// The ball keeps its shape in the end.
TEST_P(TwoSimulations, give_the_same_bits_around_a_body_that_changes_its_shape) {
    begin(strands_around(75, 20), world_of_a_growing_ball());
    step(10);
    expect_same_hash("swelling");
    EXPECT_NE(both_[1]->colliders()[0].grid.moves, nullptr);
    expect_same_figures("swelling");
    step(30);
    EXPECT_EQ(both_[1]->colliders()[0].grid.moves, nullptr) << "it should rest by now";
    expect_same_hash("at rest");
    expect_same_figures("at rest");
}

TEST_P(TwoSimulations, give_the_same_bits_when_the_world_is_changed_as_they_go) {
    const auto body_of = [&](float radius) {
        const auto made =
            MeshBody::make(sphere_mesh({0, 0, 0}, radius, 24), {.cell = 0.01f}, pool_);
        EXPECT_TRUE(made);
        return *made;
    };
    World world = ball_world(0.05f);
    add_mesh(world, body_of(0.04f));
    begin(strands_around(75, 20), world);
    step(4);
    const auto go_on = [&](const char* what) {
        on_both([&](Simulation& one) { one.set_world(world, pool_); });
        step(4);
        expect_same_hash(what);
    };
    const std::string before = hash_of(both_[0]->state().x, both_[0]->state().v).hex();
    world.wind = {.velocity = {-3, 0, 2}, .turbulence = 2};
    go_on("another wind");
    EXPECT_NE(before, hash_of(both_[0]->state().x, both_[0]->state().v).hex());
    world.colliders[0].radius = 0.09f;
    go_on("a larger ball");
    world.colliders[1].centre = {0.05f, 0, 0};
    go_on("a mesh elsewhere");
    for (const float radius : {0.07f, 0.03f, 0.05f}) {
        world.colliders[1].body = body_of(radius);
        go_on("another mesh");
    }
}

INSTANTIATE_TEST_SUITE_P(device, TwoSimulations,
                         testing::Range(0, static_cast<int>(std::ssize(all_models()))),
                         [](const auto& model) {
                             return all_models()[static_cast<std::size_t>(model.param)].name;
                         });

}  // namespace
}  // namespace ringlet
