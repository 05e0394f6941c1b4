// Fewer or more strands while a simulation runs.
#include <gtest/gtest.h>

#include <cmath>

#include "sample_mesh.h"

namespace ringlet {
namespace {

constexpr int kStrands = 64;

class DetailEveryModel : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(models, DetailEveryModel, testing::Range(0, model_count()),
                         [](const auto& model) { return model_name(model.param); });

// Strands without coupling, with wind and all kinds of colliders.
HairSim make(int model, int strands = kStrands, bool level_of_detail = true) {
    const SampleHair groom(strands);
    SimSettings settings = sample_settings(model);
    settings.hair_hair = {};
    SimOptions options = sample_options();
    options.wind.shelter = 0;
    options.level_of_detail = level_of_detail;
    Result<HairSim> made = HairSim::create(groom.arrays(), settings, sample_colliders(), options);
    EXPECT_TRUE(made) << made.error().text();
    return std::move(*made);
}

void expect_same_bits(const StrandVectors& a, const StrandVectors& b) {
    ASSERT_EQ(a.count, b.count);
    for (int i = 0; i < a.count; ++i)
        EXPECT_TRUE(a[i].x == b[i].x && a[i].y == b[i].y && a[i].z == b[i].z) << i;
}

TEST_P(DetailEveryModel, strands_that_remain_compute_the_same_bits) {
    HairSim some = make(GetParam()), all = make(GetParam(), kStrands, false);
    play(some, 0, 6);
    play(all, 0, 6);
    EXPECT_EQ(hash_of(some), hash_of(all)) << "the order of strands in memory has no influence";
    const Result<int> active = some.set_active_strands(kStrands / 4);
    ASSERT_TRUE(active) << active.error().text();
    EXPECT_EQ(*active, kStrands / 4);
    EXPECT_EQ(some.active_strand_count(), kStrands / 4);
    play(some, 6, 20);
    play(all, 6, 20);
    int compared = 0, other = 0;
    for (int s = 0; s < kStrands; ++s) {
        if (some.is_active(s)) {
            ++compared;
            expect_same_bits(some.positions()[s], all.positions()[s]);
            expect_same_bits(some.velocities()[s], all.velocities()[s]);
        } else {
            other += distance(some.positions()[s][8], all.positions()[s][8]) > 1e-5f;
        }
    }
    EXPECT_EQ(compared, kStrands / 4);
    EXPECT_GT(other, kStrands / 2) << "the others are not simulated";
}

TEST_P(DetailEveryModel, inactive_strands_follow_the_head_rigidly) {
    HairSim hair = make(GetParam());
    play(hair, 0, 6);
    ASSERT_TRUE(hair.set_active_strands(8));
    std::vector<Vec3f> before;
    for (int s = 0; s < kStrands; ++s)
        for (int i = 0; i < hair.positions()[s].count; ++i)
            before.push_back(hair.positions()[s][i]);
    play(hair, 6, 30);
    const float from = 0.02f * 5, to = 0.02f * 29;  // of play()
    std::size_t next = 0;
    for (int s = 0; s < kStrands; ++s)
        for (int i = 0; i < hair.positions()[s].count; ++i) {
            const Vec3f was = before[next++];
            if (hair.is_active(s)) continue;
            const Vec3f p = rotate_about_y({was.x - 0.2f * from, was.y, was.z}, to - from);
            EXPECT_LT(distance(hair.positions()[s][i], {p.x + 0.2f * to, p.y, p.z}), 1e-5f);
        }
}

// A turning head without colliders, which would push strands out that rested inside them.
TEST_P(DetailEveryModel, strands_come_back_without_a_whip) {
    const SampleHair groom(kStrands);
    SimSettings settings = sample_settings(GetParam());
    settings.hair_hair = {};
    SimOptions options;
    options.level_of_detail = true;
    Result<HairSim> some = HairSim::create(groom.arrays(), settings, {}, options);
    Result<HairSim> all = HairSim::create(groom.arrays(), settings, {}, options);
    ASSERT_TRUE(some && all);
    float most = 0, usual = 0;
    for (int frame = 0; frame < 60; ++frame) {
        if (frame == 10 || frame == 40) {
            ASSERT_TRUE(some->set_active_strands(frame == 10 ? 8 : kStrands));
        }
        for (HairSim* hair : {&*some, &*all}) {
            ASSERT_TRUE(hair->set_head(pose_at(0.02f * static_cast<float>(frame), {0, 0, 0})));
            ASSERT_TRUE(hair->step(1.0 / 60));
        }
        if (frame < 40) continue;
        most = std::max(most, fastest(*some));
        usual = std::max(usual, fastest(*all));
    }
    EXPECT_LT(most, 1.2f * usual + 0.2f);
    EXPECT_EQ(some->report()->nonfinite_vertices, 0);
}

TEST_P(DetailEveryModel, a_saved_state_keeps_the_active_strands) {
    HairSim hair = make(GetParam());
    play(hair, 0, 5);
    ASSERT_TRUE(hair.set_active_strands(16));
    play(hair, 5, 10);
    const auto saved = hair.save();
    ASSERT_TRUE(saved);
    play(hair, 10, 15);
    ASSERT_TRUE(hair.set_active_strands(40));
    play(hair, 15, 20);
    const std::string expected = hash_of(hair);
    HairSim other = make(GetParam());
    ASSERT_TRUE(other.load(*saved));
    EXPECT_EQ(other.active_strand_count(), 16);
    play(other, 10, 15);
    ASSERT_TRUE(other.set_active_strands(40));
    play(other, 15, 20);
    EXPECT_EQ(hash_of(other), expected);
    ASSERT_TRUE(other.reset());
    EXPECT_EQ(other.active_strand_count(), 40);
}

TEST(level_of_detail, active_strands_are_spread_over_the_head) {
    // A square of 32 x 32 strands; a sixteenth of them leaves about four in each of 16 fields.
    std::vector<float> xyz;
    const std::vector<int> counts(1024, 2);
    for (int s = 0; s < 1024; ++s) {
        const float x = static_cast<float>(s % 32), z = static_cast<float>(s / 32);
        xyz.insert(xyz.end(), {0.01f * x, 0, 0.01f * z, 0.01f * x, 0.1f, 0.01f * z});
    }
    SimOptions options;
    options.level_of_detail = true;
    Result<HairSim> hair = HairSim::create({xyz, counts}, {}, {}, options);
    ASSERT_TRUE(hair);
    ASSERT_EQ(*hair->set_active_strands(64), 64);
    int in_field[16] = {};
    for (int s = 0; s < 1024; ++s)
        if (hair->is_active(s)) ++in_field[s % 32 / 8 + 4 * (s / 32 / 8)];
    for (const int count : in_field) {
        EXPECT_GE(count, 3);
        EXPECT_LE(count, 5);
    }
    // A larger number contains a smaller one.
    std::vector<bool> few;
    for (int s = 0; s < 1024; ++s) few.push_back(hair->is_active(s));
    ASSERT_EQ(*hair->set_active_strands(500), 504);
    for (int s = 0; s < 1024; ++s)
        EXPECT_TRUE(!few[static_cast<std::size_t>(s)] || hair->is_active(s));
}

TEST(level_of_detail, faulty_calls_are_errors) {
    HairSim rigid = make(0, 9, false);
    EXPECT_FALSE(rigid.set_active_strands(4));
    EXPECT_EQ(rigid.active_strand_count(), 9);
    HairSim hair = make(0, 9);
    EXPECT_FALSE(hair.set_active_strands(-1));
    EXPECT_EQ(*hair.set_active_strands(0), 8) << "at least one block";
    EXPECT_EQ(*hair.set_active_strands(1000), 9);
}

}  // namespace
}  // namespace ringlet
