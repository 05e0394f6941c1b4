// The filter of traced light, on made images and on hair.
#include "render_rt/denoise.h"

#include "session/renderers.h"
#include "test_level.h"
#include "trace_fixture.h"

namespace ringlet {
namespace {

constexpr int kSize = 40;

// An image whose left half has another albedo than its right half, faces another way and receives
// less light, which falls from top to bottom. A number of mean 0 and variance 1, times `noise`, is
// added to the light of each pixel.
template <class Number>
TracedImage made_image(float noise, const Number& number) {
    TracedImage image{kSize, kSize, {}, {}};
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x) {
            TracedPixel pixel;
            pixel.alpha = x % 5 == 0 ? 0.5f : 1;
            const bool is_left = x < kSize / 2;
            pixel.albedo = is_left ? Vec3f{0.8f, 0.4f, 0.2f} : Vec3f{0.1f, 0.2f, 0.3f};
            pixel.normal = is_left ? Vec3f{0.6f, 0, 0.8f} : Vec3f{0, 0, 1};
            pixel.depth = 1;
            const float light = (is_left ? 1 : 1.25f) - static_cast<float>(y) / (2 * kSize);
            const float more = noise * number(static_cast<std::uint32_t>(y * kSize + x));
            pixel.light = pixel.albedo * ((light + more) * pixel.alpha);
            const float deviation = noise * luminance(pixel.albedo);
            pixel.covered_variance = deviation * deviation;
            image.pixels.push_back(pixel);
        }
    return image;
}

// Uniform.
TracedImage noisy_image(float noise) {
    return made_image(
        noise, [](std::uint32_t pixel) { return counter_signed(3, pixel, 0) * std::sqrt(3.0f); });
}

// One pixel in twenty is bright.
TracedImage dotted_image(float noise) {
    return made_image(noise, [](std::uint32_t pixel) {
        constexpr float kShare = 0.05f;
        const float dot = counter_uniform(4, pixel, 0) < kShare ? 1.0f : 0.0f;
        return (dot - kShare) / std::sqrt(kShare * (1 - kShare));
    });
}

double error_of(const std::vector<Vec3f>& light, const TracedImage& exact) {
    double sum = 0, mean = 0;
    for (std::size_t i = 0; i < light.size(); ++i) {
        const auto expected = static_cast<double>(luminance(exact.pixels[i].light));
        const double away = static_cast<double>(luminance(light[i])) - expected;
        sum += away * away;
        mean += expected;
    }
    const auto count = static_cast<double>(light.size());
    return std::sqrt(sum / count) / (mean / count);
}

std::vector<Vec3f> light_of(const TracedImage& image) {
    std::vector<Vec3f> out;
    for (const TracedPixel& pixel : image.pixels) out.push_back(pixel.light);
    return out;
}

double mean_of(const std::vector<Vec3f>& light) {
    double sum = 0;
    for (const Vec3f a : light) sum += static_cast<double>(luminance(a));
    return sum / static_cast<double>(light.size());
}

TEST(denoise, leaves_an_image_without_noise) {
    const TracedImage exact = noisy_image(0);
    EXPECT_LT(error_of(denoised_light(exact, TaskPool(1)), exact), 1e-3);
}

TEST(denoise, removes_noise_and_keeps_edges_and_the_mean) {
    const TracedImage exact = noisy_image(0), noisy = noisy_image(0.3f);
    const std::vector<Vec3f> light = denoised_light(noisy, TaskPool(1));
    EXPECT_GT(error_of(light_of(noisy), exact), 0.25);
    EXPECT_LT(error_of(light, exact), 0.25 / 4);
    EXPECT_NEAR(mean_of(light) / mean_of(light_of(noisy)), 1, 0.005);
    // The step of the light between the halves.
    double step = 0;
    for (std::size_t y = 0; y < kSize; ++y) {
        const std::size_t right = y * kSize + kSize / 2 + 1, left = right - 2;
        step += static_cast<double>(light[right].y / exact.pixels[right].albedo.y -
                                    light[left].y / exact.pixels[left].albedo.y);
    }
    EXPECT_NEAR(step / kSize, 0.25, 0.05);
}

TEST(denoise, keeps_the_light_of_bright_dots) {
    const TracedImage noisy = dotted_image(1);
    const std::vector<Vec3f> light = denoised_light(noisy, TaskPool(1));
    EXPECT_LT(error_of(light, noisy_image(0)), 0.5 * error_of(light_of(noisy), noisy_image(0)));
    EXPECT_NEAR(mean_of(light) / mean_of(light_of(noisy)), 1, 0.02);
}

Picture hair_over_a_ball(const StrandSet& strands, const Mesh& mesh) {
    Picture picture;
    picture.strands = view_of(strands);
    picture.meshes = {{&mesh, {}}};
    picture.camera = measuring_camera(kSize, kSize / 0.016f);
    return picture;
}

TEST(denoise, comes_closer_to_an_image_of_many_samples) {
    RINGLET_TEST_FROM(full);
    const StrandSet strands = bundle(1000, 1e-4f, {0.7f, 0.5f, 0.3f});
    const Mesh mesh = ball(0.006f, {0.6f, 0.4f, 0.3f});
    Picture picture = hair_over_a_ball(strands, mesh);
    // Without peaks, whose rare samples would dominate the error.
    picture.light.size = 60;
    picture.settings.roughness = 0.6f;
    picture.settings.bounces = 6;
    picture.settings.samples = 8;
    const TracedImage noisy = traced(picture, 28, 28);
    picture.settings.samples = 32 * 8;
    const TracedImage reference = traced(picture, 28, 28);
    const std::vector<Vec3f> light = denoised_light(noisy, TaskPool(2));
    const double before = error_of(light_of(noisy), reference), after = error_of(light, reference);
    EXPECT_LT(after, before / 2) << before << " " << after;
    EXPECT_NEAR(mean_of(light) / mean_of(light_of(noisy)), 1, 0.01);
}

TEST(denoise, gives_the_same_bits_with_any_number_of_threads) {
    const TracedImage noisy = noisy_image(0.3f);
    const std::vector<Vec3f> one = denoised_light(noisy, TaskPool(1)),
                             three = denoised_light(noisy, TaskPool(3));
    for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(norm(one[i] - three[i]), 0) << i;
}

TEST(denoise, replaces_the_image_and_names_the_noisy_layers) {
    const StrandSet strands = bundle(100, 2e-4f, {0.7f, 0.5f, 0.3f});
    const Mesh mesh = ball(0.006f, {0.6f, 0.4f, 0.3f});
    Picture picture = hair_over_a_ball(strands, mesh);
    picture.settings.samples = 4;
    const Result<std::unique_ptr<ImageRenderer>> renderer = create_renderer("trace");
    ASSERT_TRUE(renderer) << renderer.error().text();
    const auto channel = [&](const std::string& name) {
        for (const LinearChannel& own : (*renderer)->linear_image()->channels)
            if (own.name == name) return own.values;
        return std::vector<float>{};
    };
    const Result<Image> noisy = (*renderer)->render(picture, 20, 20, {});
    const std::vector<float> light = channel("R"), key = channel("key.R");
    EXPECT_TRUE(channel("noisy.R").empty());
    picture.settings.denoise = true;
    const Result<Image> filtered = (*renderer)->render(picture, 20, 20, {});
    ASSERT_TRUE(noisy && filtered);
    EXPECT_NE(noisy->rgba, filtered->rgba);
    EXPECT_NE(channel("R"), light);
    EXPECT_EQ(channel("noisy.R"), light);
    EXPECT_EQ(channel("noisy.key.R"), key);
    EXPECT_TRUE(channel("key.R").empty()) << "it would not be a part of the filtered image";
}

}  // namespace
}  // namespace ringlet
