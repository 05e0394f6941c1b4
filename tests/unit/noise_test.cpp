// Counter noise is even and without memory; Halton is evener still.
#include "math/noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace ringlet {
namespace {

constexpr int kDraws = 100000;

double uniform(std::uint32_t seed, std::uint32_t id, std::uint32_t channel) {
    return static_cast<double>(counter_uniform(seed, id, channel));
}

// Chi-square of `bins` equal bins, as standard deviations from what it should be.
template <class Draw>
double chi_square_excess(int bins, Draw draw) {
    std::vector<int> counts(static_cast<std::size_t>(bins));
    for (int i = 0; i < kDraws; ++i) {
        const double u = draw(static_cast<std::uint32_t>(i));
        ++counts[static_cast<std::size_t>(u * bins)];
    }
    const double expected = static_cast<double>(kDraws) / bins;
    double sum = 0;
    for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
    return (sum - (bins - 1)) / std::sqrt(2.0 * (bins - 1));
}

TEST(counter_noise, lies_in_the_half_open_unit_interval) {
    double low = 1, high = 0;
    for (std::uint32_t i = 0; i < 1000000; ++i) {
        const double u = uniform(3, i, 7);
        low = std::min(low, u);
        high = std::max(high, u);
    }
    EXPECT_GE(low, 0);
    EXPECT_LT(high, 1);
    EXPECT_LT(low, 1e-5);
    EXPECT_GT(high, 1 - 1e-5);
    for (std::uint32_t i = 0; i < 1000; ++i) {
        EXPECT_GE(counter_signed(3, i, 7), -1.0f);
        EXPECT_LT(counter_signed(3, i, 7), 1.0f);
        EXPECT_EQ(counter_signed(3, i, 7), 2 * counter_uniform(3, i, 7) - 1);
    }
}

TEST(counter_noise, has_the_mean_and_variance_of_a_uniform_number) {
    for (const std::uint32_t seed : {0u, 1u, 2u, 12345u, 0xffffffffu}) {
        double sum = 0, squares = 0;
        for (std::uint32_t i = 0; i < kDraws; ++i) {
            const double u = uniform(seed, i, 0x67720001);
            sum += u;
            squares += u * u;
        }
        const double mean = sum / kDraws, variance = squares / kDraws - mean * mean;
        // Four standard deviations of either estimate.
        EXPECT_NEAR(mean, 0.5, 4 * std::sqrt(1.0 / 12 / kDraws)) << "seed " << seed;
        EXPECT_NEAR(variance, 1.0 / 12, 4 * std::sqrt(1.0 / 180 / kDraws)) << "seed " << seed;
    }
}

TEST(counter_noise, fills_equal_bins_equally_along_every_argument) {
    for (const int bins : {16, 256, 4096}) {
        const auto by_id = [](std::uint32_t i) { return uniform(1, i, 5); };
        const auto by_channel = [](std::uint32_t i) { return uniform(1, 5, i); };
        const auto by_seed = [](std::uint32_t i) { return uniform(i, 5, 1); };
        const auto low_bits = [](std::uint32_t i) {
            const double scaled = uniform(1, i, 5) * 256;
            return scaled - std::floor(scaled);
        };
        EXPECT_LT(std::abs(chi_square_excess(bins, by_id)), 4.5);
        EXPECT_LT(std::abs(chi_square_excess(bins, by_channel)), 4.5);
        EXPECT_LT(std::abs(chi_square_excess(bins, by_seed)), 4.5);
        EXPECT_LT(std::abs(chi_square_excess(bins, low_bits)), 4.5);
    }
}

// Correlation of two sequences of draws.
template <class First, class Second>
double correlation(First first, Second second) {
    double sum = 0;
    for (std::uint32_t i = 0; i < kDraws; ++i) sum += (first(i) - 0.5) * (second(i) - 0.5);
    return sum / kDraws * 12;
}

TEST(counter_noise, neighbouring_ids_channels_and_seeds_are_not_correlated) {
    const double chance = 4.5 / std::sqrt(static_cast<double>(kDraws));
    for (const std::uint32_t apart : {1u, 2u, 3u, 7u, 8u, 64u, 1024u}) {
        const auto here = [](std::uint32_t i) { return uniform(1, i, 9); };
        EXPECT_LT(std::abs(correlation(here, [&](auto i) { return uniform(1, i + apart, 9); })),
                  chance)
            << "ids " << apart << " apart";
        EXPECT_LT(std::abs(correlation(here, [&](auto i) { return uniform(1, i, 9 + apart); })),
                  chance)
            << "channels " << apart << " apart";
        EXPECT_LT(std::abs(correlation(here, [&](auto i) { return uniform(1 + apart, i, 9); })),
                  chance)
            << "seeds " << apart << " apart";
    }
}

TEST(counter_noise, pairs_of_neighbours_fill_the_square_evenly) {
    const auto cell = [](double u, double v) { return (std::floor(u * 64) + v) / 64; };
    EXPECT_LT(std::abs(chi_square_excess(
                  4096, [&](auto i) { return cell(uniform(1, i, 2), uniform(1, i + 1, 2)); })),
              4.5);
    EXPECT_LT(std::abs(chi_square_excess(
                  4096, [&](auto i) { return cell(uniform(1, i, 2), uniform(1, i, 3)); })),
              4.5);
}

TEST(counter_noise, depends_on_its_arguments_alone) {
    std::vector<float> forward, backward;
    for (std::uint32_t i = 0; i < 100; ++i) forward.push_back(counter_uniform(4, i, i * 31));
    for (std::uint32_t i = 100; i-- > 0;) backward.push_back(counter_uniform(4, i, i * 31));
    std::reverse(backward.begin(), backward.end());
    EXPECT_EQ(forward, backward);
    // Scenes that people keep rest on these numbers: they may never change.
    EXPECT_EQ(hash_bits(1), 0x688990c0u);
    EXPECT_EQ(counter_bits(1, 2, 3), 0x4c183685u);
}

TEST(counter_noise, scatter_maps_no_two_numbers_to_one) {
    std::set<std::uint32_t> seen;
    for (std::uint32_t i = 0; i < 100000; ++i) seen.insert(hash_bits(i));
    EXPECT_EQ(seen.size(), 100000u);
}

struct Point {
    double x, y;
};

// The star discrepancy: the largest |share of points in [0,x)x[0,y) - xy|, over the corners that
// the points' own coordinates make.
double star_discrepancy(std::vector<Point> points) {
    const double n = static_cast<double>(points.size());
    std::sort(points.begin(), points.end(), [](Point a, Point b) { return a.x < b.x; });
    std::vector<double> ys;
    for (const Point& p : points) ys.push_back(p.y);
    std::sort(ys.begin(), ys.end());
    ys.push_back(1);
    std::vector<int> present(ys.size(), 0);
    double worst = 0;
    for (std::size_t i = 0; i <= points.size(); ++i) {
        const double next_x = i < points.size() ? points[i].x : 1;
        const double this_x = i > 0 ? points[i - 1].x : 0;
        int count = 0;  // points among the first i that lie below ys[j]
        for (std::size_t j = 0; j < ys.size(); ++j) {
            worst = std::max(worst, next_x * ys[j] - count / n);  // open box: too few
            count += present[j];
            worst = std::max(worst, count / n - this_x * ys[j]);  // closed box: too many
        }
        if (i == points.size()) break;
        const auto rank = std::lower_bound(ys.begin(), ys.end(), points[i].y) - ys.begin();
        ++present[static_cast<std::size_t>(rank)];
    }
    return worst;
}

TEST(halton, starts_as_the_textbook_says) {
    const double twos[] = {0, 0.5, 0.25, 0.75, 0.125, 0.625};
    const double threes[] = {0, 1.0 / 3, 2.0 / 3, 1.0 / 9, 4.0 / 9, 7.0 / 9};
    for (std::uint64_t i = 0; i < 6; ++i) {
        EXPECT_NEAR(halton(i, 2), twos[i], 1e-15);
        EXPECT_NEAR(halton(i, 3), threes[i], 1e-15);
    }
    for (std::uint64_t i = 0; i < 100000; ++i) EXPECT_LT(halton(i, 5), 1);
    EXPECT_LT(halton(~std::uint64_t{0}, 3), 1);
}

TEST(halton, is_several_times_evener_than_chance) {
    constexpr std::uint32_t kPoints = 1024;
    std::vector<Point> even;
    for (std::uint32_t i = 0; i < kPoints; ++i)
        even.push_back({halton(i + 1, 2), halton(i + 1, 3)});
    double chance = 0;
    constexpr std::uint32_t kTrials = 8;
    for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
        std::vector<Point> random;
        for (std::uint32_t i = 0; i < kPoints; ++i)
            random.push_back({uniform(trial, i, 0), uniform(trial, i, 1)});
        chance += star_discrepancy(random) / kTrials;
    }
    RecordProperty("halton", std::to_string(star_discrepancy(even)));
    RecordProperty("chance", std::to_string(chance));
    EXPECT_LT(star_discrepancy(even), 0.007);
    EXPECT_GT(chance / star_discrepancy(even), 5) << "chance " << chance;
}

}  // namespace
}  // namespace ringlet
