// HairSim on a GPU: the bits of the CPU, device pointers, and what is copied to the host.
#include <gtest/gtest.h>

#include "determinism/device_memory.h"
#include "library/sample_mesh.h"

namespace ringlet {
namespace {

class HairSimOnDevice : public testing::TestWithParam<int> {
protected:
    void SetUp() override {
        const Result<void> there = check_backend(Backend::cuda);
        if (!there) GTEST_SKIP() << there.error().text();
    }
};

INSTANTIATE_TEST_SUITE_P(models, HairSimOnDevice, testing::Range(0, model_count()),
                         [](const auto& model) { return model_name(model.param); });

SimOptions on_device() {
    SimOptions out = sample_options();
    out.backend = Backend::cuda;
    return out;
}

TEST_P(HairSimOnDevice, gives_the_bits_of_the_cpu) {
    HairSim gpu = make_sample(GetParam(), on_device()), cpu = make_sample(GetParam());
    play(gpu, 0, 8);
    play(cpu, 0, 8);
    EXPECT_EQ(hash_of(gpu), hash_of(cpu));
    const auto saved = gpu.save();
    ASSERT_TRUE(saved);
    HairSim again = make_sample(GetParam(), on_device());
    ASSERT_TRUE(again.load(*saved));
    play(again, 8, 12);
    play(cpu, 8, 12);
    EXPECT_EQ(hash_of(again), hash_of(cpu));
}

TEST_P(HairSimOnDevice, deforming_meshes_give_the_bits_of_the_cpu) {
    const SampleMesh skin = SampleMesh::ring(), ball = SampleMesh::ball();
    SimCollider body = ball.collider();
    body.cell = 0.01f;
    const auto run = [&](const SimOptions& options) {
        Result<HairSim> hair = HairSim::create(skin.under(SampleHair()),
                                               sample_settings(GetParam()), {&body, 1}, options);
        EXPECT_TRUE(hair) << hair.error().text();
        for (int frame = 1; frame <= 8; ++frame) {
            const float by = 1 + 0.02f * static_cast<float>(frame);
            const auto grow = [&](Vec3f p) { return Vec3f{by * p.x, p.y, by * p.z}; };
            EXPECT_TRUE(hair->set_head_vertices(skin.changed(grow)));
            EXPECT_TRUE(hair->set_collider_vertices(0, ball.changed(grow)));
            EXPECT_TRUE(hair->step(1.0 / 60));
        }
        return hash_of(*hair);
    };
    EXPECT_EQ(run(on_device()), run(sample_options()));
}

TEST_P(HairSimOnDevice, device_pointers_hold_the_positions) {
    HairSim hair = make_sample(GetParam(), on_device());
    play(hair, 0, 5);
    const Result<DeviceVectors> view = hair.device_positions();
    ASSERT_TRUE(view) << view.error().text();
    const std::vector<float> memory = read_device_memory(view->memory, view->size);
    ASSERT_EQ(memory.size(), view->size);
    for (int s = 0; s < hair.strand_count(); ++s)
        for (int i = 0; i < hair.positions()[s].count; ++i) {
            const float* const at = memory.data() + view->offsets[static_cast<std::size_t>(s)] +
                                    i * view->vertex_stride;
            const Vec3f expected = hair.positions()[s][i];
            EXPECT_EQ(at[0], expected.x);
            EXPECT_EQ(at[view->component_stride], expected.y);
            EXPECT_EQ(at[2 * view->component_stride], expected.z);
        }
    EXPECT_TRUE(hair.device_velocities());
}

// With rigid bodies nothing that is copied between host and GPU grows with the strands.
TEST_P(HairSimOnDevice, transfers_do_not_grow_with_the_strands) {
    std::vector<std::int64_t> bytes;
    for (const int strands : {64, 4096}) {
        const SampleHair groom(strands);
        Result<HairSim> hair = HairSim::create(groom.arrays(), sample_settings(GetParam()),
                                               sample_colliders(), on_device());
        ASSERT_TRUE(hair) << hair.error().text();
        play(*hair, 0, 3);  // copies what is needed once
        ASSERT_TRUE(hair->report());
        play(*hair, 3, 8);
        ASSERT_TRUE(hair->device_positions());
        bytes.push_back(hair->report()->transferred_bytes);
    }
    EXPECT_EQ(bytes[0], bytes[1]);
    EXPECT_GT(bytes[0], 0) << "colliders are copied in each substep";
}

// Creates a million straight strands of 32 vertices on the GPU and steps them once.
Result<void> simulate_a_million(int model) {
    const int strands = 1'000'000, vertices = 32;
    std::vector<float> positions;
    positions.reserve(std::size_t{3} * strands * vertices);
    for (int s = 0; s < strands; ++s)
        for (int i = 0; i < vertices; ++i)
            positions.insert(positions.end(),
                             {1e-3f * static_cast<float>(s % 1000), -0.01f * static_cast<float>(i),
                              1e-3f * static_cast<float>(s / 1000)});
    const std::vector<int> counts(strands, vertices);
    Result<HairSim> hair =
        HairSim::create({positions, counts}, sample_settings(model), {}, on_device());
    if (!hair) return hair.error();
    const Result<SimStepped> stepped = hair->step(1.0 / 60);
    if (stepped) return {};
    EXPECT_FALSE(hair->hash()) << "a lost state has a hash";
    EXPECT_FALSE(hair->step(1.0 / 60)) << "a lost state was stepped";
    return stepped.error();
}

TEST_P(HairSimOnDevice, too_little_memory_is_an_error_and_others_go_on) {
    HairSim other = make_sample(GetParam(), on_device()), cpu = make_sample(GetParam());
    play(other, 0, 2);
    {
        const DeviceBallast ballast(std::size_t{1} << 30);
        const Result<void> done = simulate_a_million(GetParam());
        ASSERT_FALSE(done);
        EXPECT_NE(done.error().text().find("memory"), std::string::npos) << done.error().text();
        play(other, 2, 4);
    }
    play(other, 4, 8);
    play(cpu, 0, 8);
    EXPECT_EQ(hash_of(other), hash_of(cpu));
    HairSim next = make_sample(GetParam(), on_device());
    play(next, 0, 8);
    EXPECT_EQ(hash_of(next), hash_of(cpu));
}

}  // namespace
}  // namespace ringlet
