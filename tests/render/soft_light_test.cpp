// Light from all directions: scattering by fibres and by volumes of hair, and the furnace: white
// things in even light are as bright as the light.
#include <algorithm>
#include <cmath>

#include "math/elementary.h"
#include "picture_fixture.h"
#include "shade/multiple_scattering.h"

namespace ringlet {
namespace {

// The part that shaders include, compiled as C++.
namespace shared {

using std::max;
using std::min;
using std::pow;

#include "render_gl/shaders/scattering_gain.glsl"

}  // namespace shared

TEST(soft_scatter, is_the_mean_over_uniform_directions) {
    const Fibre fibre = fibre_of(0.3f);
    constexpr float kAbsorption = 0.2f;
    double sum = 0, forward = 0, weights = 0;
    for (std::uint32_t i = 0; i < 200'000; ++i) {
        const auto number = [i](std::uint32_t k) { return counter_signed(3, i, k); };
        const float sin_in = number(0), sin_out = number(1), azimuth = kPi * number(2);
        const float theta_in = std::asin(sin_in), theta_out = std::asin(sin_out);
        const float cos_in = std::cos(theta_in), cos_out = std::cos(theta_out);
        // Per solid angle: scattered() is per angle along and around the fibre.
        const float light =
            scattered(fibre, kAbsorption, number(3), theta_in, theta_out, azimuth) / cos_out;
        const float straight_on = -sin_in * sin_out - cos_in * cos_out * std::cos(azimuth);
        weights += static_cast<double>(cos_in);
        sum += static_cast<double>(cos_in * light * 4 * kPi);
        forward += static_cast<double>(cos_in * light * 4 * kPi * straight_on);
    }
    const SoftScatter soft = soft_scatter(fibre, kAbsorption);
    EXPECT_NEAR(soft.forward, forward / weights, 0.02);
    EXPECT_NEAR(soft.forward + soft.albedo * (1 - soft.forward), sum / weights, 0.02);
}

TEST(soft_scatter, of_white_fibres_loses_no_light) {
    for (const float roughness : {0.1f, 0.3f, 0.6f})
        EXPECT_NEAR(soft_scatter(fibre_of(roughness), 0).albedo, 1, 2e-3) << roughness;
}

constexpr int kSteps = 200;

double middle(int i) { return (i + 0.5) / kSteps; }

// Chandrasekhar's H function for even scattering, by iteration of its integral equation.
double chandrasekhar_h(double albedo, double cosine = 1) {
    std::vector<double> h(kSteps, 1), next(kSteps);
    const auto value_at = [&](double mu) {
        double sum = 0;
        for (int i = 0; i < kSteps; ++i)
            sum += middle(i) * h[static_cast<std::size_t>(i)] / (mu + middle(i)) / kSteps;
        return 1 / (std::sqrt(1 - albedo) + albedo / 2 * sum);
    };
    for (int round = 0; round < 60; ++round) {
        for (int i = 0; i < kSteps; ++i)
            next[static_cast<std::size_t>(i)] =
                (h[static_cast<std::size_t>(i)] + value_at(middle(i))) / 2;
        h = next;
    }
    return value_at(cosine);
}

// The share of all directions that is open at an optical depth in a half space.
double open_share(double depth) {
    double sum = 0;
    for (int i = 0; i < kSteps; ++i) sum += std::exp(-depth / middle(i)) / kSteps;
    return sum / 2;
}

// The light that hair at a depth scatters evenly, as strand_light.glsl computes it.
double even_light(double depth, double albedo) {
    const auto open = static_cast<float>(open_share(depth));
    const float gain = shared::scattering_gain(open, 0, static_cast<float>(albedo));
    return albedo * static_cast<double>(open * gain);
}

TEST(scattering_gain, matches_a_half_space_in_even_light) {
    const Fibre fibre = fibre_of(0.2f);
    for (const float colour : {0.02f, 0.05f, 0.1f, 0.2f, 0.4f, 0.6f, 0.8f}) {
        const SoftScatter soft =
            soft_scatter(fibre, absorption_of_colour(colour, fibre.rough_around));
        const auto forward = static_cast<double>(soft.forward);
        const auto albedo = static_cast<double>(soft.albedo);
        // The eye sees strands at depth d with the density exp(-d).
        double seen = 0;
        constexpr double kDeepest = 8;
        for (int i = 0; i < kSteps; ++i) {
            const double depth = kDeepest * middle(i), reduced = depth * (1 - forward);
            seen += kDeepest / kSteps * std::exp(-depth) *
                    (forward * even_light(reduced + double{shared::kBehindDepth}, albedo) +
                     (1 - forward) * even_light(reduced, albedo));
        }
        const double exact = 1 - std::sqrt(1 - albedo) * chandrasekhar_h(albedo);
        EXPECT_NEAR(seen / exact, 1, 0.08) << colour;
    }
}

// A lamp, the eye above: all light over light that was scattered once. The single scattering of the
// exact solution is that with H = 1 (Chandrasekhar 1960, chapter 5).
TEST(scattering_gain, matches_a_half_space_under_a_lamp) {
    for (const double cosine : {1.0, 0.5})
        for (const double albedo : {0.2, 0.4, 0.6, 0.8, 0.9}) {
            const double exact = chandrasekhar_h(albedo) * chandrasekhar_h(albedo, cosine);
            double once = 0, all = 0;
            constexpr double kDeepest = 8;
            for (int i = 0; i < kSteps; ++i) {
                const double depth = kDeepest * middle(i);
                const double lit = std::exp(-depth - depth / cosine);
                const auto gain = static_cast<double>(shared::scattering_gain(
                    static_cast<float>(open_share(depth)), 0, static_cast<float>(albedo)));
                once += lit;
                all += lit * gain;
            }
            EXPECT_NEAR(all / once / exact, 1, 0.13) << cosine << " " << albedo;
        }
}

class furnace : public PictureTest {
protected:
    static constexpr int kSide = 96;

    // The darkest and the brightest light of the pixels well inside the ball.
    std::pair<float, float> range(const Picture& picture) {
        const Image image = draw(picture, kSide, kSide);
        float low = 1e9f, high = 0;
        for (int y = 0; y < kSide; ++y)
            for (int x = 0; x < kSide; ++x) {
                if (std::hypot(x - kSide / 2, y - kSide / 2) > 0.3 * kSide) continue;
                const float light = light_of_grey(image.pixel(x, y)[1]);
                low = std::min(low, light);
                high = std::max(high, light);
            }
        return {low, high};
    }

    Picture evenly_lit() {
        Picture picture;
        picture.camera = measuring_camera(kSide, 450);
        light_evenly(picture);
        return picture;
    }
};

TEST_F(furnace, white_hair_is_as_bright_as_even_light) {
    const StrandSet strands = shaggy_coat({0.9999f, 0.9999f, 0.9999f});
    Picture picture = evenly_lit();
    picture.strands = view_of(strands);
    for (const StrandMode mode : {StrandMode::ribbons, StrandMode::compute}) {
        picture.settings.mode = mode;
        const auto [low, high] = range(picture);
        EXPECT_GT(low, 0.95f);
        EXPECT_LT(high, 1.05f);
    }
}

TEST_F(furnace, white_skin_is_as_bright_as_even_light) {
    const Mesh mesh = ball(0.08f, {1, 1, 1});
    Picture picture = evenly_lit();
    picture.meshes = {{&mesh}};
    const auto [low, high] = range(picture);
    EXPECT_GT(low, 0.95f);
    EXPECT_LT(high, 1.05f);
}

}  // namespace
}  // namespace ringlet
