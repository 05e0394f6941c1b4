// Rest frames: the caller's orientation of an elliptic cross section.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ringlet/ringlet_c.h"
#include "sample_hair.h"

namespace ringlet {
namespace {

constexpr int kVertices = 17;
constexpr float kRight = std::numbers::pi_v<float> / 2;

// A horizontal strand along +z.
struct Strip {
    std::vector<float> positions, frames;
    std::vector<int> counts{kVertices};

    // The section turns from `root` to `tip` (rad) about the strand; at 0 its wide axis is x.
    Strip(float root, float tip, float length = 1) {
        for (int i = 0; i < kVertices; ++i) {
            const float along = static_cast<float>(i) / (kVertices - 1);
            positions.insert(positions.end(), {0, 1, 0.1f * along});
            const float half = 0.5f * (root + (tip - root) * along);
            frames.insert(frames.end(), {0, 0, length * std::sin(half), length * std::cos(half)});
        }
    }
    StrandArrays arrays() const {
        StrandArrays out{positions, counts};
        out.rest_frames = frames;
        return out;
    }
};

// Droops by millimetres, so that it is proportional to the load.
SimSettings strip_settings(float aspect_ratio) {
    SimSettings out = scene_defaults();
    out.model = *model_named("rod");
    out.rod.aspect_ratio = aspect_ratio;
    out.rod.sag_free = false;
    out.gravity = {0, -0.2f, 0};
    out.damping = 20;
    return out;
}

// How far the tip is below the root in equilibrium (m).
double droop(const StrandArrays& strands, float aspect_ratio) {
    Result<HairSim> hair = HairSim::create(strands, strip_settings(aspect_ratio));
    EXPECT_TRUE(hair) << hair.error().text();
    for (int frame = 0; frame < 240; ++frame) EXPECT_TRUE(hair->step(1.0 / 60));
    return 1 - static_cast<double>(hair->positions()[0][kVertices - 1].y);
}

// The second moments of area of an ellipse with the axes a and b are as a b^3 to a^3 b.
TEST(rest_frames, a_strip_on_edge_droops_less_by_the_square_of_its_aspect_ratio) {
    const double flat = droop(Strip(0, 0).arrays(), 0.5f);
    EXPECT_GT(flat, 5e-4);
    EXPECT_LT(flat, 8e-3);
    EXPECT_NEAR(droop(Strip(kRight, kRight).arrays(), 0.5f), flat / 4, 0.01 * flat);
    EXPECT_NEAR(droop(Strip(2 * kRight, 2 * kRight).arrays(), 0.5f), flat, 0.01 * flat);
    const double from_edge = droop(Strip(kRight, 0).arrays(), 0.5f);
    const double to_edge = droop(Strip(0, kRight).arrays(), 0.5f);
    EXPECT_GT(to_edge, 1.5 * from_edge) << "the curvature at the root counts most";
    EXPECT_LT(to_edge, flat);
    EXPECT_GT(from_edge, flat / 4);
}

TEST(rest_frames, are_horizontal_for_a_straight_strand_unless_given) {
    const Strip strip(0, 0);
    const double flat = droop(strip.arrays(), 0.5f);
    EXPECT_NEAR(droop({strip.positions, strip.counts}, 0.5f), flat, 1e-3 * flat);
}

TEST(rest_frames, of_a_round_section_change_nothing) {
    const Strip twisted(0, 4 * kRight, 3);
    const double round = droop({twisted.positions, twisted.counts}, 1);
    EXPECT_NEAR(droop(twisted.arrays(), 1), round, 1e-3 * round);
}

TEST(rest_frames, are_aligned_with_the_strand) {
    Strip tilted(0, 0);
    for (int i = 0; i < kVertices; ++i) {  // tilted by 0.2 rad about x
        const auto k = static_cast<std::size_t>(4 * i);
        tilted.frames[k] = std::sin(0.1f);
        tilted.frames[k + 3] = std::cos(0.1f);
    }
    const double flat = droop(Strip(0, 0).arrays(), 0.5f);
    EXPECT_NEAR(droop(tilted.arrays(), 0.5f), flat, 1e-3 * flat);
}

TEST(rest_frames, that_are_faulty_are_errors) {
    Strip strip(0, 0);
    const auto refused = [&] {
        const Result<HairSim> hair = HairSim::create(strip.arrays(), strip_settings(0.5f));
        return hair ? std::string() : hair.error().text();
    };
    strip.frames[11] = 0;
    EXPECT_EQ(refused(), "rest_frames: numbers 8 to 11 are not a quaternion");
    strip.frames[11] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(refused(), "rest_frames: numbers 8 to 11 are not a quaternion");
    strip.frames.resize(12);
    EXPECT_EQ(refused(), "rest_frames: 12 numbers, but there are 17 vertices with x, y, z, w each");
}

TEST(rest_frames, belong_to_a_saved_state) {
    const Strip flat(0, 0), upright(kRight, kRight);
    Result<HairSim> a = HairSim::create(flat.arrays(), strip_settings(0.5f));
    Result<HairSim> b = HairSim::create(upright.arrays(), strip_settings(0.5f));
    ASSERT_TRUE(a && b);
    EXPECT_FALSE(b->load(*a->save()));
}

TEST(rest_frames, the_c_interface_has_them) {
    const Strip upright(kRight, kRight);
    Result<HairSim> expected = HairSim::create(upright.arrays(), strip_settings(0.5f));
    ASSERT_TRUE(expected);
    ringlet_settings* const settings = ringlet_settings_create();
    for (const auto& [key, value] :
         {std::pair{"sim.rod.aspect_ratio", 0.5}, std::pair{"sim.damping", 20.0}})
        EXPECT_EQ(ringlet_settings_set_number(settings, key, value), 0) << ringlet_last_error();
    EXPECT_EQ(ringlet_settings_set_flag(settings, "sim.rod.sag_free", 0), 0);
    EXPECT_EQ(ringlet_settings_set_vector(settings, "sim.gravity", {0, -0.2f, 0}), 0);
    EXPECT_EQ(ringlet_settings_set_word(settings, "sim.model", "rod"), 0);
    ringlet_options options = ringlet_options_default();
    options.rest_frames = upright.frames.data();
    ringlet_hair* const hair = ringlet_hair_create(upright.positions.data(), upright.counts.data(),
                                                   1, settings, nullptr, 0, &options);
    ASSERT_NE(hair, nullptr) << ringlet_last_error();
    for (int frame = 0; frame < 10; ++frame) {
        EXPECT_EQ(ringlet_hair_step(hair, 1.0 / 60, nullptr), 0);
        EXPECT_TRUE(expected->step(1.0 / 60));
    }
    char hash[17];
    EXPECT_EQ(ringlet_hair_hash(hair, hash), 0);
    EXPECT_EQ(hash, hash_of(*expected));
    ringlet_hair_destroy(hair);
    ringlet_settings_destroy(settings);
}

}  // namespace
}  // namespace ringlet
