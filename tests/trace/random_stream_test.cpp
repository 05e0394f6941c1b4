// The numbers of the path tracer: even within a pixel, independent between pixels.
#include "render_rt/random_stream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ringlet {
namespace {

std::vector<RandomStream::Four> samples(std::uint32_t pixel, std::uint32_t set, int count,
                                        int first = 0) {
    std::vector<RandomStream::Four> out;
    for (int i = first; i < first + count; ++i)
        out.push_back(RandomStream(pixel, static_cast<std::uint32_t>(i)).set(set));
    return out;
}

// Whether each of the 2^(a + b) boxes of 2^-a x 2^-b contains one of as many points.
bool is_even(const std::vector<RandomStream::Four>& points, std::size_t x, std::size_t y, int a,
             int b) {
    std::vector<int> found(points.size());
    for (const RandomStream::Four& p : points) {
        const auto column = static_cast<std::size_t>(std::ldexp(p[x], a));
        const auto row = static_cast<std::size_t>(std::ldexp(p[y], b));
        ++found[(column << b) + row];
    }
    return found == std::vector<int>(points.size(), 1);
}

TEST(random_stream, covers_each_dimension_evenly_with_every_power_of_two_samples) {
    for (const std::uint32_t pixel : {0u, 77u, 4'000'000u})
        for (const std::uint32_t set : {0u, 1u, 40u})
            for (int bits = 0; bits <= 12; ++bits) {
                // Any run of 2^bits samples that starts at a multiple of its length.
                const int count = 1 << bits;
                const auto points = samples(pixel, set, count, count * 3);
                for (std::size_t d = 0; d < 4; ++d)
                    ASSERT_TRUE(is_even(points, d, d == 0 ? 1 : 0, bits, 0)) << bits << " " << d;
                for (int a = 0; a <= bits; ++a)
                    ASSERT_TRUE(is_even(points, 0, 1, a, bits - a)) << bits << " " << a;
            }
    EXPECT_FALSE(is_even(samples(1, 1, 64, 32), 0, 1, 6, 0)) << "not a run that starts there";
}

// The mean over many pixels of a product of two centred numbers, in standard deviations.
template <class First, class Second>
double correlation(const First& first, const Second& second) {
    constexpr std::uint32_t kPixels = 20'000;
    double sum = 0;
    for (std::uint32_t pixel = 0; pixel < kPixels; ++pixel)
        sum +=
            (static_cast<double>(first(pixel)) - 0.5) * (static_cast<double>(second(pixel)) - 0.5);
    return sum / std::sqrt(kPixels / 144.0);
}

TEST(random_stream, is_independent_between_sets_dimensions_and_pixels) {
    const auto number = [](std::uint32_t sample, std::uint32_t set, std::size_t d,
                           std::uint32_t step = 0) {
        return [=](std::uint32_t pixel) { return RandomStream(pixel + step, sample).set(set)[d]; };
    };
    for (const std::uint32_t sample : {0u, 1u, 9u}) {
        EXPECT_LT(std::abs(correlation(number(sample, 0, 0), number(sample, 1, 0))), 4);
        EXPECT_LT(std::abs(correlation(number(sample, 4, 2), number(sample, 6, 3))), 4);
        EXPECT_LT(std::abs(correlation(number(sample, 4, 0), number(sample, 4, 1))), 4);
        EXPECT_LT(std::abs(correlation(number(sample, 4, 2), number(sample, 4, 3))), 4);
        EXPECT_LT(std::abs(correlation(number(sample, 4, 0), number(sample, 4, 0, 1))), 4);
        EXPECT_LT(std::abs(correlation(number(sample, 4, 0), number(sample, 4, 0, 640))), 4);
    }
    EXPECT_LT(correlation(number(0, 4, 0), number(1, 4, 0)), -20)
        << "neighbouring samples lie in different halves";
}

TEST(random_stream, is_uniform_over_the_pixels) {
    constexpr int kBins = 64;
    constexpr std::uint32_t kPixels = 64'000;
    for (std::size_t d = 0; d < 4; ++d) {
        std::vector<double> count(kBins);
        for (std::uint32_t pixel = 0; pixel < kPixels; ++pixel)
            ++count[static_cast<std::size_t>(RandomStream(pixel, 5).set(7)[d] * kBins)];
        double chi = 0;
        for (const double own : count) chi += (own - 1000) * (own - 1000) / 1000;
        EXPECT_LT(std::abs(chi - (kBins - 1)) / std::sqrt(2.0 * (kBins - 1)), 4) << d;
    }
}

}  // namespace
}  // namespace ringlet
