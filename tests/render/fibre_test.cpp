// The fibre model conserves energy, and the averages of multiple scattering are consistent with it.
#include <gtest/gtest.h>

#include <cmath>

#include "math/elementary.h"
#include "shade/multiple_scattering.h"

namespace ringlet {
namespace {

// White furnace test: integrates the scattered light over directions distributed uniformly over the
// sphere. Importance sampling by the model itself would hide its errors.
double furnace(const Fibre& fibre, float absorption, float theta) {
    constexpr int kSamples = 60000;
    // Steps of the R3 low-discrepancy sequence (Roberts 2018).
    constexpr double kSteps[3] = {0.8191725134, 0.6710436067, 0.5497004779};
    double sum = 0, sample[3] = {0.5, 0.5, 0.5};
    for (int i = 0; i < kSamples; ++i) {
        for (int k = 0; k < 3; ++k) sample[k] = std::fmod(sample[k] + kSteps[k], 1.0);
        const float h = static_cast<float>(sample[0]) * 2 - 1;
        const float out = std::asin(static_cast<float>(sample[1]) * 2 - 1);
        const float azimuth = static_cast<float>(sample[2]) * 2 * kPi;
        // The density of the sampled directions already contains the cosine.
        sum += scattered(fibre, absorption, h, theta, out, azimuth) / std::cos(out);
    }
    return sum / kSamples * 4 * kPi;
}

TEST(fibre, without_absorption_scatters_all_light) {
    for (const float rough : {0.15f, 0.3f, 0.6f})
        for (const float theta : {0.0f, 0.5f, -1.0f}) {
            const Fibre fibre{1.55f, rough, rough, 0.0349f};
            EXPECT_NEAR(furnace(fibre, 0, theta), 1, 0.02) << rough << " " << theta;
        }
}

TEST(fibre, scatters_less_the_more_it_absorbs) {
    const Fibre fibre;
    EXPECT_LT(furnace(fibre, 0.2f, 0.2f), 0.9);
    EXPECT_LT(furnace(fibre, 2, 0.2f), 0.3);
    EXPECT_GT(furnace(fibre, 2, 0.2f), 0.04);  // the surface reflects in any case
}

TEST(fibre, divides_light_among_its_lobes) {
    const Fibre fibre;
    for (const float h : {-0.9f, -0.3f, 0.0f, 0.7f})
        for (const float theta : {0.0f, 0.6f, 1.2f}) {
            const FibreLobes a = lobe_shares(fibre, 0, h, theta);
            EXPECT_NEAR(a[0] + a[1] + a[2] + a[3], 1, 1e-4);
        }
}

// The theta_out at which a lobe is brightest.
float brightest(const Fibre& fibre, std::size_t lobe, float theta) {
    const float tilt = lobe_tilts(fibre)[lobe], variance = lobe_variances(fibre)[lobe];
    float best = 0, at = 0;
    for (int i = -1500; i <= 1500; ++i) {
        const float out = static_cast<float>(i) * 0.001f;
        const float light = spread_along(theta - tilt, out, variance);
        if (light > best) {
            best = light;
            at = out;
        }
    }
    return at;
}

TEST(fibre, shifts_its_highlights_to_both_sides_of_the_mirror_direction) {
    const Fibre fibre{1.55f, 0.1f, 0.3f, 0.05f};
    EXPECT_NEAR(brightest(fibre, 0, 0.3f), -0.3f - 0.1f, 0.01f);
    EXPECT_NEAR(brightest(fibre, 1, 0.3f), -0.3f + 0.05f, 0.01f);
    EXPECT_NEAR(brightest(fibre, 2, 0.3f), -0.3f + 0.2f, 0.04f);
}

TEST(fibre, computes_absorption_from_a_colour_and_from_pigments) {
    // The fit of Chiang et al. at beta_n = 0.3 is about (ln(c) / 5.7)^2.
    EXPECT_NEAR(absorption_of_colour(0.5f, 0.3f), 0.0142f, 0.0005f);
    EXPECT_GT(absorption_of_colour(0.1f, 0.3f), absorption_of_colour(0.2f, 0.3f));
    const Vec3f black = absorption_of_pigments(1.3f, 0);
    EXPECT_NEAR(black.z / black.x, 1.37f / 0.419f, 1e-4f);
}

TEST(multiple_scattering, is_forward_plus_backward) {
    const Fibre fibre;
    for (const float theta : {0.1f, 0.7f, 1.3f}) {
        const ScatterAverages white = scatter_averages(fibre, 0, theta);
        EXPECT_NEAR(white.forward + white.backward, 1, 1e-3);
        const ScatterAverages brown = scatter_averages(fibre, 0.4f, theta);
        EXPECT_NEAR(brown.forward + brown.backward, furnace(fibre, 0.4f, theta), 0.02);
        EXPECT_LT(brown.forward, white.forward);
    }
}

TEST(multiple_scattering, of_fair_hair_is_mostly_forward) {
    const Fibre fibre;
    const ScatterAverages fair = scatter_averages(fibre, 0.05f, 0.2f);
    EXPECT_GT(fair.forward, 2 * fair.backward);
    // Black hair scatters mostly by surface reflection.
    const ScatterAverages black = scatter_averages(fibre, 3, 0.2f);
    EXPECT_LT(black.forward, 0.1f);
    EXPECT_GT(fair.forward_spread, 0.05f);
    EXPECT_LT(fair.forward_spread, 0.5f);
}

TEST(multiple_scattering, is_tabulated_over_angle_and_colour) {
    const ScatterTable table = scatter_table(Fibre{});
    ASSERT_EQ(table.entries.size(),
              static_cast<std::size_t>(ScatterTable::kAngles * ScatterTable::kColours));
    for (int c = 1; c < ScatterTable::kColours; ++c)
        EXPECT_GT(table.entries[static_cast<std::size_t>(c)].forward,
                  table.entries[static_cast<std::size_t>(c - 1)].forward);
}

}  // namespace
}  // namespace ringlet
