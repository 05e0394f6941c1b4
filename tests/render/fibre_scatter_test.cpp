// Importance sampling of the fibre model: the same values as the model's own functions, a density
// that integrates to 1, and samples that follow it.
#include "shade/fibre_scatter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/elementary.h"
#include "math/noise.h"

namespace ringlet {
namespace {

const Fibre kFibres[] = {
    {1.55f, 0.3f, 0.3f, 0.0349f}, {1.55f, 0.15f, 0.2f, 0.0349f}, {1.55f, 0.7f, 0.8f, 0.05f}};
const Vec3f kBrown{0.2f, 0.4f, 0.9f};  // absorption

struct Place {
    float h, theta;
};
constexpr Place kPlaces[] = {{0.1f, 0.0f}, {-0.6f, 0.4f}, {0.85f, -0.9f}, {0.3f, 1.35f}};

FibreDirection direction_at(float sine, float azimuth) {
    return {sine, std::sqrt(std::max(1 - sine * sine, 0.0f)), azimuth};
}

// The mean of `of` over a grid that is uniform over the sphere, times its area.
template <class Function>
double integral(const Function& of, int along = 400, int around = 360) {
    double sum = 0;
    for (int i = 0; i < along; ++i)
        for (int k = 0; k < around; ++k) {
            const float sine = (static_cast<float>(i) + 0.5f) / static_cast<float>(along) * 2 - 1;
            const float turn = (static_cast<float>(k) + 0.5f) / static_cast<float>(around);
            sum += static_cast<double>(of(direction_at(sine, (turn * 2 - 1) * kPi)));
        }
    return sum / (along * around) * 4 * 3.14159265358979;
}

TEST(fibre_scatter, equals_the_model_in_every_channel) {
    for (const Fibre& fibre : kFibres) {
        const FibreShape shape(fibre);
        for (const Place at : kPlaces)
            for (const float out : {-1.2f, -0.3f, 0.0f, 0.8f})
                for (const float azimuth : {-2.9f, -0.4f, 0.0f, 1.7f}) {
                    const FibreScatter scatter(shape, kBrown, at.h, at.theta);
                    const Vec3f value = scatter.value({std::sin(out), std::cos(out), azimuth});
                    const auto model = [&](float absorption) {
                        return scattered(fibre, absorption, at.h, at.theta, out, azimuth) /
                               std::cos(out);
                    };
                    const float scale = 1e-5f + model(kBrown.x) * 1e-3f;
                    EXPECT_NEAR(value.x, model(kBrown.x), scale);
                    EXPECT_NEAR(value.y, model(kBrown.y), scale);
                    EXPECT_NEAR(value.z, model(kBrown.z), scale);
                }
    }
}

// Uniform directions: samples of the model's own density would hide its errors.
TEST(fibre_scatter, in_a_white_furnace_returns_all_light) {
    for (const Fibre& fibre : kFibres) {
        const FibreShape shape(fibre);
        for (const Place at : kPlaces) {
            const FibreScatter scatter(shape, {0, 0, 0}, at.h, at.theta);
            const double all =
                integral([&](const FibreDirection& out) { return scatter.value(out).y; });
            EXPECT_NEAR(all, 1, 0.02) << fibre.rough_along << " " << at.h << " " << at.theta;
            EXPECT_NEAR(scatter.albedo().y, 1, 1e-4f);
        }
    }
}

TEST(fibre_scatter, has_a_density_that_integrates_to_one) {
    for (const Fibre& fibre : kFibres) {
        const FibreShape shape(fibre);
        for (const Place at : kPlaces) {
            const FibreScatter scatter(shape, kBrown, at.h, at.theta);
            const double all =
                integral([&](const FibreDirection& out) { return scatter.density(out); });
            EXPECT_NEAR(all, 1, 0.01) << fibre.rough_along << " " << at.h << " " << at.theta;
        }
    }
}

TEST(fibre_scatter, without_absorption_samples_have_weight_one) {
    const FibreShape shape(kFibres[0]);
    const FibreScatter scatter(shape, {0, 0, 0}, 0.4f, -0.5f);
    for (std::uint32_t i = 0; i < 1000; ++i) {
        const FibreDirection out =
            scatter.sample({counter_uniform(1, i, 0), counter_uniform(1, i, 1),
                            counter_uniform(1, i, 2), counter_uniform(1, i, 3)});
        const FibreScatter::Evaluation at = scatter.evaluate(out);
        ASSERT_GT(at.density, 0);
        EXPECT_NEAR(at.value.x / at.density, 1, 1e-3f);
    }
}

// Pearson's chi-square over cells of equal area. Cells with fewer than 8 expected samples are
// joined.
double chi_square_excess(const FibreScatter& scatter, int samples) {
    constexpr int kAlong = 20, kAround = 20, kFine = 12;
    std::vector<double> expected(kAlong * kAround), found(kAlong * kAround);
    for (int i = 0; i < kAlong * kFine; ++i)
        for (int k = 0; k < kAround * kFine; ++k) {
            const float sine = (static_cast<float>(i) + 0.5f) / (kAlong * kFine) * 2 - 1;
            const float turn = (static_cast<float>(k) + 0.5f) / (kAround * kFine);
            expected[static_cast<std::size_t>(i / kFine * kAround + k / kFine)] +=
                static_cast<double>(scatter.density(direction_at(sine, (turn * 2 - 1) * kPi))) * 4 *
                3.14159265 / (kAlong * kAround * kFine * kFine) * samples;
        }
    for (int n = 0; n < samples; ++n) {
        const auto id = static_cast<std::uint32_t>(n);
        const FibreDirection out =
            scatter.sample({counter_uniform(7, id, 0), counter_uniform(7, id, 1),
                            counter_uniform(7, id, 2), counter_uniform(7, id, 3)});
        const float azimuth = std::remainder(out.azimuth, 2 * kPi);
        const int i = std::clamp(static_cast<int>((out.sin_theta + 1) / 2 * kAlong), 0, kAlong - 1);
        const int k =
            std::clamp(static_cast<int>((azimuth / kPi + 1) / 2 * kAround), 0, kAround - 1);
        found[static_cast<std::size_t>(i * kAround + k)] += 1;
    }
    double chi = 0, few_expected = 0, few_found = 0;
    int cells = 0;
    const auto add = [&](double wanted, double seen) {
        chi += (seen - wanted) * (seen - wanted) / wanted;
        ++cells;
    };
    for (std::size_t c = 0; c < expected.size(); ++c) {
        few_expected += expected[c];
        few_found += found[c];
        if (few_expected < 8) continue;
        add(few_expected, few_found);
        few_expected = few_found = 0;
    }
    // In standard deviations above the mean.
    return (chi - cells) / std::sqrt(2.0 * cells);
}

TEST(fibre_scatter, samples_follow_the_density) {
    for (const Fibre& fibre : {kFibres[0], kFibres[2]}) {
        const FibreShape shape(fibre);
        for (const Place at : kPlaces) {
            const FibreScatter scatter(shape, kBrown, at.h, at.theta);
            EXPECT_LT(chi_square_excess(scatter, 40000), 4)
                << fibre.rough_along << " " << at.h << " " << at.theta;
        }
    }
}

}  // namespace
}  // namespace ringlet
