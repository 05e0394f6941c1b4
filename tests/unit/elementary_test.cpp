// The errors that math/elementary.h states, measured against double, and the same bits in lanes.
#include "math/elementary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "math/wide8.h"

namespace ringlet {
namespace {

using Wide = Wide8<IsaPortable>;

// Calls body(x) and body(-x) for the floats from `low` to `high`, every stride-th of them.
template <class Body>
void sweep(float low, float high, std::int32_t stride, Body body) {
    for (std::int32_t bits = bits_of(low); bits <= bits_of(high); bits += stride) {
        body(from_bits(bits));
        body(-from_bits(bits));
    }
}

// The largest error seen and where.
struct Worst {
    double error = 0;
    float at = 0;
    void see(double e, float x) {
        if (!(e <= error)) {
            error = e;
            at = x;
        }
    }
};

TEST(elementary, sin_cos_is_within_its_stated_error) {
    Worst sine, cosine;
    const auto compare = [&](float x) {
        const SinCos<float> got = sin_cos(x);
        const double exact = static_cast<double>(x);
        sine.see(std::abs(static_cast<double>(got.sin) - std::sin(exact)), x);
        cosine.see(std::abs(static_cast<double>(got.cos) - std::cos(exact)), x);
    };
    sweep(1e-6f, 1.0f, 997, compare);
    sweep(1.0f, 1000.0f, 61, compare);
    EXPECT_LE(sine.error, 1.2e-7) << "at " << sine.at;
    EXPECT_LE(cosine.error, 1.2e-7) << "at " << cosine.at;
    EXPECT_GT(sine.error, 5e-8);  // the sweep is dense enough to see the error
}

TEST(elementary, sin_cos_is_exact_at_zero_and_odd_and_even) {
    EXPECT_EQ(sin_cos(0.0f).sin, 0.0f);
    EXPECT_EQ(sin_cos(0.0f).cos, 1.0f);
    sweep(1e-3f, 100.0f, 100003, [](float x) {
        EXPECT_EQ(sin_cos(x).sin, -sin_cos(-x).sin);
        EXPECT_EQ(sin_cos(x).cos, sin_cos(-x).cos);
    });
}

TEST(elementary, exp_is_within_its_stated_error) {
    Worst worst;
    sweep(1e-9f, 88.0f, 241, [&](float x) {
        if (x < -87) return;
        const double exact = std::exp(static_cast<double>(x));
        worst.see(std::abs(static_cast<double>(exp<float>(x)) - exact) / exact, x);
    });
    EXPECT_LE(worst.error, 2e-7) << "at " << worst.at;
    EXPECT_GT(worst.error, 5e-8);
}

TEST(elementary, exp_clamps_beyond_its_range) {
    EXPECT_EQ(exp<float>(0.0f), 1.0f);
    EXPECT_EQ(exp<float>(500.0f), exp<float>(88.0f));
    EXPECT_EQ(exp<float>(-500.0f), exp<float>(-87.0f));
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(exp<float>(infinity), exp<float>(88.0f));
    EXPECT_EQ(exp<float>(-infinity), exp<float>(-87.0f));
}

TEST(elementary, log_is_within_its_stated_error) {
    Worst absolute, relative;
    sweep(1.2e-38f, 3e38f, 241, [&](float x) {
        if (x <= 0) return;
        const double exact = std::log(static_cast<double>(x));
        const double error = std::abs(static_cast<double>(log<float>(x)) - exact);
        if (std::abs(exact) <= 8)
            absolute.see(error, x);
        else
            relative.see(error / std::abs(exact), x);
    });
    EXPECT_LE(absolute.error, 4e-7) << "at " << absolute.at;
    EXPECT_LE(relative.error, 1e-7) << "at " << relative.at;
    EXPECT_EQ(log<float>(1.0f), 0.0f);
    EXPECT_EQ(log<float>(0.0f), log<float>(1.17549435e-38f));
}

double atan2_error(float y, float x) {
    return std::abs(static_cast<double>(atan2<float>(y, x)) -
                    std::atan2(static_cast<double>(y), static_cast<double>(x)));
}

TEST(elementary, atan2_is_within_its_stated_error) {
    Worst worst;
    constexpr int kAngles = 1 << 20;
    for (int i = 0; i < kAngles; ++i) {
        const double angle = (i + 0.5) * 2 * 3.14159265358979 / kAngles;
        // Every length a strand may have, and then some.
        const double length = std::ldexp(1.0, i % 81 - 40);
        const auto y = static_cast<float>(std::sin(angle) * length);
        const auto x = static_cast<float>(std::cos(angle) * length);
        worst.see(atan2_error(y, x), static_cast<float>(angle));
    }
    EXPECT_LE(worst.error, 3e-7) << "at angle " << worst.at;
    EXPECT_GT(worst.error, 1e-7);
}

TEST(elementary, atan2_knows_the_axes_and_the_origin) {
    EXPECT_EQ(atan2<float>(0.0f, 0.0f), 0.0f);
    EXPECT_EQ(atan2<float>(0.0f, 1.0f), 0.0f);
    EXPECT_NEAR(atan2<float>(0.0f, -1.0f), kPi, 3e-7f);
    EXPECT_NEAR(atan2<float>(1.0f, 0.0f), kPi / 2, 3e-7f);
    EXPECT_NEAR(atan2<float>(-1.0f, 0.0f), -kPi / 2, 3e-7f);
}

TEST(elementary, atan2_does_not_depend_on_the_length_however_small) {
    for (const float tiny : {1e-25f, 1e-30f, 1e-32f, 1e-36f})
        EXPECT_LE(atan2_error(tiny, tiny), 3e-7) << "for a length of " << tiny;
}

TEST(elementary, nth_root_agrees_with_pow) {
    for (const int n : {1, 2, 3, 5, 10, 100, 1000})
        for (double base = 1; base > 5e-8; base *= 0.83)
            EXPECT_NEAR(nth_root(base, n), std::pow(base, 1.0 / n), 1e-14) << base << " " << n;
    EXPECT_EQ(nth_root(1, 7), 1);
    EXPECT_EQ(nth_root(0, 7), 0);
}

// Inputs of eight lanes at a time, each lane with another kind of number.
std::vector<float> odd_and_plain_inputs() {
    const float infinity = std::numeric_limits<float>::infinity();
    std::vector<float> out{0.0f,      -0.0f, 1e-45f, -1e-40f, 1e-38f, 3e38f, -3e38f, infinity,
                           -infinity, NAN,   -NAN,   1e9f,    -1e9f,  2e9f,  4e9f,   -5e9f,
                           87.0f,     88.0f, -87.0f, 88.5f,   0.5f,   1.0f,  -1.0f,  16777217.0f};
    std::uint32_t state = 1;
    while (out.size() < 4096) {
        state = state * 1664525u + 1013904223u;
        const float mantissa = static_cast<float>(state >> 8) * 0x1p-23f - 1.0f;
        out.push_back(std::ldexp(mantissa, static_cast<int>(state % 41) - 20));
    }
    return out;
}

// Two NaNs count as the same: their payload is nobody's business.
void expect_same(float lane, float alone, float x, float y) {
    if (std::isnan(lane) && std::isnan(alone)) return;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(lane), std::bit_cast<std::uint32_t>(alone))
        << "for " << x << ", " << y;
}

// Compares wide(x, y) with narrow(x, y) in all lanes, for inputs that differ from lane to lane.
template <class WideCall, class NarrowCall>
void compare_lanes(WideCall wide, NarrowCall narrow) {
    const std::vector<float> x = odd_and_plain_inputs();
    for (std::size_t shift : {std::size_t{0}, std::size_t{3}, std::size_t{1117}}) {
        std::vector<float> y(x.size());
        std::rotate_copy(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(shift), x.end(),
                         y.begin());
        for (std::size_t i = 0; i + 8 <= x.size(); i += 5) {
            float lanes[8];
            store(lanes, wide(load<Wide>(&x[i]), load<Wide>(&y[i])));
            for (std::size_t k = 0; k < 8; ++k)
                expect_same(lanes[k], narrow(x[i + k], y[i + k]), x[i + k], y[i + k]);
        }
    }
}

TEST(elementary, lanes_give_the_bits_of_one_at_a_time) {
    compare_lanes([](Wide x, Wide) { return sin_cos(x).sin; },
                  [](float x, float) { return sin_cos(x).sin; });
    compare_lanes([](Wide x, Wide) { return sin_cos(x).cos; },
                  [](float x, float) { return sin_cos(x).cos; });
    compare_lanes([](Wide x, Wide) { return exp<Wide>(x); },
                  [](float x, float) { return exp<float>(x); });
    compare_lanes([](Wide x, Wide) { return log<Wide>(x); },
                  [](float x, float) { return log<float>(x); });
    compare_lanes([](Wide x, Wide y) { return atan2<Wide>(y, x); },
                  [](float x, float y) { return atan2<float>(y, x); });
}

}  // namespace
}  // namespace ringlet
