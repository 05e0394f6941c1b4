// HairSim: own strands, poses per frame, frame times, views, saved states, and errors.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sample_hair.h"
#include "unit/counted_memory.h"

namespace ringlet {
namespace {

class EveryModel : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(models, EveryModel, testing::Range(0, model_count()),
                         [](const auto& model) { return model_name(model.param); });

TEST_P(EveryModel, a_loaded_state_continues_to_the_same_bits) {
    HairSim hair = make_sample(GetParam());
    play(hair, 0, 12);
    const auto saved = hair.save();
    ASSERT_TRUE(saved) << saved.error().text();
    const std::string at_save = hash_of(hair);
    play(hair, 12, 24);
    const std::string expected = hash_of(hair);
    EXPECT_NE(expected, at_save);

    ASSERT_TRUE(hair.load(*saved));
    EXPECT_EQ(hash_of(hair), at_save);
    play(hair, 12, 24);
    EXPECT_EQ(hash_of(hair), expected);

    HairSim other = make_sample(GetParam());
    ASSERT_TRUE(other.load(*saved));
    play(other, 12, 24);
    EXPECT_EQ(hash_of(other), expected);
    EXPECT_EQ(other.time(), hair.time());
}

TEST_P(EveryModel, reset_gives_the_same_bits_again) {
    HairSim hair = make_sample(GetParam());
    play(hair, 0, 10);
    const std::string first = hash_of(hair);
    const float* const memory = hair.positions().memory().data();
    ASSERT_TRUE(hair.set_head({}));
    ASSERT_TRUE(hair.set_collider_pose(1, sample_colliders()[1].pose));
    ASSERT_TRUE(hair.reset());
    EXPECT_EQ(hair.time(), 0);
    EXPECT_EQ(hair.positions().memory().data(), memory);  // views stay valid
    play(hair, 0, 10);
    EXPECT_EQ(hash_of(hair), first);
}

TEST_P(EveryModel, threads_do_not_change_the_bits) {
    SimOptions alone = sample_options();
    alone.threads = 1;
    HairSim one = make_sample(GetParam(), alone), two = make_sample(GetParam());
    play(one, 0, 10);
    play(two, 0, 10);
    EXPECT_EQ(hash_of(one), hash_of(two));
}

TEST_P(EveryModel, a_teleport_does_not_whip) {
    const SampleHair groom;
    Result<HairSim> hair = HairSim::create(groom.arrays(), sample_settings(GetParam()));
    ASSERT_TRUE(hair);
    for (int frame = 0; frame < 30; ++frame) ASSERT_TRUE(hair->step(1.0 / 60));
    const float before = fastest(*hair);
    const Vec3f root = hair->positions()[3][0];
    ASSERT_TRUE(hair->teleport(pose_at(0, {5, 1, -7})));
    EXPECT_NEAR(hair->positions()[3][0].x, root.x + 5, 1e-5f);
    for (int frame = 0; frame < 3; ++frame) ASSERT_TRUE(hair->step(1.0 / 60));
    EXPECT_LT(fastest(*hair), before + 0.2f);  // a jump in one step would be 500 m/s
    EXPECT_NEAR(hair->positions()[3][0].z, root.z - 7, 1e-5f);
}

TEST(hair_sim, views_refer_to_the_memory_of_the_simulation) {
    SimOptions options = sample_options();
    options.keep_previous = true;
    HairSim hair = make_sample(0, options);
    const SampleHair groom;
    const VectorView before = hair.positions();
    for (int axis = 0; axis < 3; ++axis)
        EXPECT_EQ(
            before[7].first[axis * StrandVectors::kComponentStride],
            groom.positions[static_cast<std::size_t>(3 * (9 + 10 + 11 + 12 + 9 + 10 + 11) + axis)]);
    play(hair, 0, 5);
    const std::size_t used = counted_memory::now;
    counted_memory::peak = used;
    const VectorView after = hair.positions();
    EXPECT_EQ(counted_memory::peak, used);  // a view allocates nothing
    for (int s = 0; s < hair.strand_count(); ++s) {
        EXPECT_EQ(after[s].first, before[s].first);  // nor is anything copied
        EXPECT_EQ(after[s].first,
                  after.memory().data() + after.offsets()[static_cast<std::size_t>(s)]);
    }
    EXPECT_NE(hair.previous_positions()[5][8].y, after[5][8].y);
    EXPECT_NE(hair.previous_positions()[5].first, after[5].first);
}

TEST(hair_sim, frame_times_are_kept_exactly) {
    struct Case {
        double seconds;
        int frames, steps;
    };
    for (const Case& c :
         {Case{1.0 / 60, 600, 600}, Case{1.0 / 30, 300, 600}, Case{1.0 / 90, 900, 600},
          Case{1.0 / 144, 1440, 600}, Case{0.004, 2500, 600}, Case{1.0 / 24, 240, 600}}) {
        const float xyz[] = {0, 1, 0, 0, 0.9f, 0};
        const int counts[] = {2};
        Result<HairSim> hair = HairSim::create({xyz, counts}, {});
        ASSERT_TRUE(hair);
        int steps = 0;
        for (int frame = 0; frame < c.frames; ++frame) {
            const Result<SimStepped> done = hair->step(c.seconds);
            ASSERT_TRUE(done);
            steps += done->steps;
            EXPECT_GE(done->interpolation, 0);
            EXPECT_LE(done->interpolation, 1);
            EXPECT_EQ(done->dropped_seconds, 0);
            const double ahead = (frame + 1) * c.seconds * 60 - steps;
            EXPECT_NEAR(static_cast<double>(done->interpolation), ahead, 1e-3);
        }
        EXPECT_EQ(steps, c.steps) << c.seconds;
    }
}

TEST(hair_sim, a_long_frame_is_cut_off) {
    const float xyz[] = {0, 1, 0, 0, 0.9f, 0};
    const int counts[] = {2};
    SimOptions options;
    options.max_steps = 4;
    Result<HairSim> hair = HairSim::create({xyz, counts}, {}, {}, options);
    ASSERT_TRUE(hair);
    const Result<SimStepped> done = hair->step(10.0 / 60);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->steps, 4);
    EXPECT_NEAR(done->dropped_seconds, 6.0 / 60, 1e-6);
}

TEST(hair_sim, the_head_moves_evenly_through_the_steps_of_a_frame) {
    const float xyz[] = {0, 1, 0, 0, 0.9f, 0};
    const int counts[] = {2};
    Result<HairSim> hair = HairSim::create({xyz, counts}, {});
    ASSERT_TRUE(hair);
    // A frame of one and a half steps: the step ends at two thirds of the motion.
    ASSERT_TRUE(hair->set_head(pose_at(0, {0.03f, 0, 0})));
    ASSERT_TRUE(hair->step(1.5 / 60));
    EXPECT_NEAR(hair->positions()[0][0].x, 0.02f, 1e-6f);
    // The next step ends a third of the way from there to the next pose.
    ASSERT_TRUE(hair->set_head(pose_at(0, {0.06f, 0, 0})));
    ASSERT_TRUE(hair->step(1.5 / 60));
    EXPECT_NEAR(hair->positions()[0][0].x, 0.06f, 1e-6f);
    EXPECT_EQ(hair->report()->steps, 3);
}

TEST(hair_sim, a_posed_collider_pushes_hair) {
    const SampleHair groom;
    SimCollider hand;
    hand.motion = SimMotion::posed;
    hand.radius = 0.05f;
    hand.pose.translation = {0, 0.9f, 0.6f};
    Result<HairSim> hair = HairSim::create(groom.arrays(), {}, {&hand, 1});
    ASSERT_TRUE(hair);
    const float goal = 0.1f;
    for (int frame = 1; frame <= 60; ++frame) {
        const float z = 0.6f + (goal - 0.6f) * static_cast<float>(frame) / 60;
        ASSERT_TRUE(hair->set_collider_pose(0, pose_at(0, {0, 0.9f, z})));
        ASSERT_TRUE(hair->step(1.0 / 60));
    }
    for (int s = 0; s < hair->strand_count(); ++s)
        for (int i = 2; i < hair->positions()[s].count; ++i) {
            const Vec3f p = hair->positions()[s][i];
            EXPECT_GT(std::hypot(p.x, p.y - 0.9f, p.z - goal), 0.048f) << s << " " << i;
        }
}

TEST(hair_sim, a_mesh_collider_is_solid) {
    // A tetrahedron around the origin, 20 cm across, under hair that falls.
    const float corners[] = {0, 0.9f, 0, -0.1f, 0.7f, -0.1f, 0.1f, 0.7f, -0.1f, 0, 0.7f, 0.15f};
    const std::uint32_t triangles[] = {0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    SimCollider body;
    body.shape = SimShape::mesh;
    body.mesh_positions = corners;
    body.mesh_triangles = triangles;
    SimSettings settings;
    settings.hold_roots = false;
    const float xyz[] = {0, 1, 0.02f, 0.01f, 1, 0.02f, 0.02f, 1, 0.02f};
    const int counts[] = {3};
    Result<HairSim> hair = HairSim::create({xyz, counts}, settings, {&body, 1});
    ASSERT_TRUE(hair) << hair.error().text();
    for (int frame = 0; frame < 30; ++frame) ASSERT_TRUE(hair->step(1.0 / 60));
    EXPECT_LT(hair->report()->max_penetration, 0.003);
    EXPECT_NE(hair->positions()[0][0].z, 0.02f);  // it was deflected
}

// Each case is one fault; the error names the entry.
TEST(hair_sim, faulty_input_is_an_error) {
    const SampleHair groom;
    const auto error_of = [](const Result<HairSim>& made) {
        return made ? std::string("no error") : made.error().text();
    };
    std::vector<float> positions = groom.positions;
    positions[4] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(error_of(HairSim::create({positions, groom.counts}, {})),
              "positions[4] is not a coordinate in metres within 10 km of the origin");
    positions.pop_back();
    EXPECT_NE(error_of(HairSim::create({positions, groom.counts}, {})).find("vertex_counts needs"),
              std::string::npos);
    std::vector<int> counts = groom.counts;
    counts[2] = 0;
    EXPECT_EQ(error_of(HairSim::create({groom.positions, counts}, {})),
              "vertex_counts[2] is 0; a strand has at least its root");
    SimSettings settings;
    settings.model = 77;
    EXPECT_NE(
        error_of(HairSim::create(groom.arrays(), settings)).find("sim.model: 77 is none of the"),
        std::string::npos);
    settings = {};
    settings.dt = 0;
    EXPECT_NE(error_of(HairSim::create(groom.arrays(), settings))
                  .find("sim.dt: 0 is not from 1e-05 to 0.1 s"),
              std::string::npos);
    SimCollider mesh;
    mesh.shape = SimShape::mesh;
    const float corner[] = {0, 0, 0};
    const std::uint32_t triangle[] = {0, 0, 9};
    mesh.mesh_positions = corner;
    mesh.mesh_triangles = triangle;
    EXPECT_EQ(error_of(HairSim::create(groom.arrays(), {}, {&mesh, 1})),
              "collider 0: mesh_triangles[2] is 9, but the mesh has 1 vertices");
    HairSim hair = make_sample(0);
    const std::string before = hash_of(hair);
    EXPECT_FALSE(hair.step(-1));
    EXPECT_FALSE(hair.step(std::nan("")));
    EXPECT_FALSE(hair.set_collider_pose(0, {}));  // it moves with the head
    EXPECT_FALSE(hair.set_collider_pose(9, {}));
    EXPECT_FALSE(hair.set_head({{0, 0, 0, 0}, {0, 0, 0}}));
    EXPECT_EQ(hash_of(hair), before);
}

TEST(hair_sim, a_damaged_state_is_an_error) {
    HairSim hair = make_sample(0), other = make_sample(1);
    play(hair, 0, 3);
    const std::string before = hash_of(hair);
    auto saved = hair.save();
    ASSERT_TRUE(saved);
    EXPECT_FALSE(other.load(*saved));  // another model
    for (const std::size_t size : {std::size_t{0}, std::size_t{7}, saved->size() - 1})
        EXPECT_FALSE(hair.load(std::span(*saved).first(size)));
    for (std::size_t at = 0; at < saved->size(); at += 997) {
        (*saved)[at] ^= std::byte{1};
        EXPECT_FALSE(hair.load(*saved)) << at;
        (*saved)[at] ^= std::byte{1};
    }
    EXPECT_EQ(hash_of(hair), before);
    EXPECT_TRUE(hair.load(*saved));
}

TEST(hair_sim, no_strands_are_no_error) {
    Result<HairSim> hair = HairSim::create({}, {});
    ASSERT_TRUE(hair) << hair.error().text();
    EXPECT_TRUE(hair->step(1.0 / 60));
    EXPECT_EQ(hair->positions().strand_count(), 0);
    EXPECT_TRUE(hair->report());
}

TEST(hair_sim, a_step_can_be_stopped_between_its_steps) {
    SimOptions options = sample_options();
    int polled = 0;
    options.stop_requested = [&] { return ++polled == 3; };
    HairSim hair = make_sample(0, options);
    const Result<SimStepped> done = hair.step(10.5 / 60);
    ASSERT_TRUE(done) << done.error().text();
    EXPECT_EQ(done->steps, 3);
    EXPECT_NEAR(done->dropped_seconds, 7.5 / 60, 1e-9);
    EXPECT_EQ(done->interpolation, 0);
    EXPECT_EQ(hair.report()->steps, 3);
    EXPECT_EQ(hair.step(1.0 / 60)->steps, 1);
}

}  // namespace
}  // namespace ringlet
