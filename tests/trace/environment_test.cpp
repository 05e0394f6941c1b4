// Environment maps: their sampling, and the light that the path tracer finds in them.
#include "math/elementary.h"
#include "render_rt/lamps.h"
#include "session/renderers.h"
#include "trace_fixture.h"

namespace ringlet {
namespace {

constexpr int kWidth = 24, kHeight = 12;

// A dim map with some bright texels and a black row.
EnvironmentMap uneven_map() {
    std::vector<Vec3f> texels;
    for (int row = 0; row < kHeight; ++row)
        for (int column = 0; column < kWidth; ++column) {
            const auto id = static_cast<std::uint32_t>(row * kWidth + column);
            const float light = row == 8 ? 0 : counter_uniform(3, id, 0);
            const bool is_bright = id % 37 == 5;
            texels.push_back(Vec3f{0.5f, 1, 0.2f} * (is_bright ? 20 * light : light));
        }
    return environment_of(kWidth, kHeight, std::move(texels));
}

// Visits directions of equal solid angle.
template <class Visit>
void for_each_direction(int rows, int columns, const Visit& visit) {
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < columns; ++k) {
            const float y = 1 - 2 * (static_cast<float>(i) + 0.5f) / static_cast<float>(rows);
            const float turn =
                2 * kPi * (static_cast<float>(k) + 0.5f) / static_cast<float>(columns);
            const float sine = std::sqrt(1 - y * y);
            visit(Vec3f{sine * std::sin(turn), y, -sine * std::cos(turn)});
        }
}

TEST(sky_map, has_a_density_that_integrates_to_one_in_proportion_to_the_light) {
    const EnvironmentMap map = uneven_map();
    const SkyMap sky(map, 2, 33);
    constexpr int kRows = 1200, kColumns = 960;
    double all = 0, light = 0;
    for_each_direction(kRows, kColumns, [&](Vec3f d) {
        all += static_cast<double>(sky.density(d));
        light += static_cast<double>(sky.radiance(d).y);
    });
    const double area = 4 * 3.14159265 / (kRows * kColumns);
    EXPECT_NEAR(all * area, 1, 2e-3);
    EXPECT_NEAR(light * area / (4 * 3.14159265), static_cast<double>(sky.mean().y), 2e-3);
    const Vec3f some{0.3f, 0.5f, 0.4f}, other{-0.7f, 0.1f, 0.2f};
    const Vec3f a = unit_or(some, some), b = unit_or(other, other);
    EXPECT_NEAR(sky.density(a) * sky.radiance(b).y, sky.density(b) * sky.radiance(a).y, 1e-4f);
}

TEST(sky_map, draws_directions_by_its_density) {
    const EnvironmentMap map = uneven_map();
    const SkyMap sky(map, 1, -75);
    constexpr int kSamples = 40'000;
    std::vector<double> found(map.texels.size()), wanted(map.texels.size());
    const auto texel_of = [](Vec3f d) {
        const float turn = std::atan2(d.x, -d.z) / (2 * kPi) + 0.5f;
        const int row = std::min(static_cast<int>(std::acos(d.y) / kPi * kHeight), kHeight - 1);
        const int column = std::min(static_cast<int>(turn * kWidth), kWidth - 1);
        return static_cast<std::size_t>(row * kWidth + column);
    };
    for (std::uint64_t i = 1; i <= kSamples; ++i) {
        const LightSample sample = sky.sample(counter_uniform(1, static_cast<std::uint32_t>(i), 0),
                                              counter_uniform(1, static_cast<std::uint32_t>(i), 1));
        ASSERT_NEAR(norm(sample.direction), 1, 1e-5f);
        ASSERT_GT(sample.density, 0);
        ++found[texel_of(sample.direction)];
    }
    constexpr int kRows = 1200, kColumns = 960;
    for_each_direction(kRows, kColumns, [&](Vec3f d) {
        wanted[texel_of(d)] +=
            static_cast<double>(sky.density(d)) * 4 * 3.14159265 / (kRows * kColumns) * kSamples;
    });
    double chi = 0, bins = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (wanted[i] < 5) {
            EXPECT_LT(found[i], 25);
            continue;
        }
        chi += (found[i] - wanted[i]) * (found[i] - wanted[i]) / wanted[i];
        ++bins;
    }
    EXPECT_GT(bins, 200);
    EXPECT_LT((chi - bins) / std::sqrt(2 * bins), 5);
}

TEST(sky_map, has_its_middle_behind_the_subject_and_turns_about_the_vertical) {
    std::vector<Vec3f> texels(std::size_t{8} * 4, Vec3f{0, 0, 0});
    texels[8 + 4] = {1, 1, 1};  // right of the middle, above the horizon
    const EnvironmentMap map = environment_of(8, 4, texels);
    const Vec3f there{0.3f, 0.4f, -0.8f};
    const auto lit = [&](float rotation, Vec3f d) {
        return SkyMap(map, 1, rotation).radiance(unit_or(d, d)).x;
    };
    EXPECT_EQ(lit(0, there), 1);
    EXPECT_EQ(lit(0, {-0.3f, 0.4f, -0.8f}), 0);
    EXPECT_EQ(lit(0, {0.3f, -0.4f, -0.8f}), 0);
    const Quatf turn = quat_from_axis_angle(Vec3f{0, 1, 0}, 70 * kPi / 180);
    EXPECT_EQ(lit(70, rotate(turn, there)), 1);
    EXPECT_EQ(lit(70, there), 0);
}

TEST(environment_map, has_means_above_and_below_and_drops_bad_values) {
    const float bad = std::numeric_limits<float>::quiet_NaN();
    // Three rows: the horizon divides the middle one.
    const EnvironmentMap map =
        environment_of(2, 3, {{4, 0, 0}, {2, 0, 0}, {1, bad, 0}, {1, -1, 0}, {0, 0, 5}, {0, 0, 5}});
    EXPECT_NEAR(map.above.x, 0.5f * 3 + 0.5f * 1, 1e-5f);
    EXPECT_NEAR(map.above.y, 0, 1e-6f);
    EXPECT_NEAR(map.below.x, 0.5f, 1e-5f);
    EXPECT_NEAR(map.below.z, 2.5f, 1e-5f);
    const EnvironmentMap studio = studio_environment();
    EXPECT_GT(luminance(studio.above), luminance(studio.below));
}

Picture bundle_under(std::shared_ptr<const EnvironmentMap> map, const StrandSet& strands) {
    Picture picture;
    picture.strands = view_of(strands);
    picture.camera = measuring_camera(32, 32 / 0.016f);
    picture.settings.samples = 64;
    picture.light.key = picture.light.rim = 0;
    picture.light.map = std::move(map);
    return picture;
}

TEST(path_tracer, gives_back_the_light_of_an_even_map) {
    const StrandSet strands = bundle(300, 2e-4f, {1, 1, 1});
    const auto map = std::make_shared<const EnvironmentMap>(
        environment_of(16, 8, std::vector<Vec3f>(128, Vec3f{0.5f, 0.5f, 0.5f})));
    Picture picture = bundle_under(map, strands);
    picture.settings.bounces = 1000;
    picture.light.environment_gain = 4;
    const TracedImage image = traced(picture, 32, 32);
    ASSERT_GT(mean_alpha(image), 0.5);
    EXPECT_NEAR(mean_light(image) / mean_alpha(image), 2, 0.01);
}

// A map of many bright texels where a lamp would be lights a ball as the lamp does.
TEST(path_tracer, lights_skin_by_a_disc_in_a_map_as_by_a_lamp) {
    const Mesh mesh = ball(0.05f, {0.5f, 0.5f, 0.5f});
    Picture picture;
    picture.meshes = {{&mesh, {}}};
    picture.camera = measuring_camera(16, 16 / 0.11f);
    picture.settings.samples = 256;
    light_by_lamp(picture, {0.3f, 0.2f, 1}, 24);
    const double by_lamp = mean_light(traced(picture, 16, 16));
    const Lamps lamps(picture.light, picture.settings.background);
    constexpr int kColumns = 720, kRows = 360;
    std::vector<Vec3f> texels;
    for (int row = 0; row < kRows; ++row)
        for (int column = 0; column < kColumns; ++column) {
            const float theta = kPi * (static_cast<float>(row) + 0.5f) / kRows;
            // Turned by 90 degrees, which the rotation undoes.
            const float turn =
                2 * kPi * ((static_cast<float>(column) + 0.5f) / kColumns - 0.5f) + kPi / 2;
            const Vec3f d{std::sin(theta) * std::sin(turn), std::cos(theta),
                          -std::sin(theta) * std::cos(turn)};
            texels.push_back(lamps.all[0].is_seen(d) ? lamps.all[0].radiance : Vec3f{0, 0, 0});
        }
    picture.light.key = 0;
    picture.light.map =
        std::make_shared<const EnvironmentMap>(environment_of(kColumns, kRows, std::move(texels)));
    picture.light.environment_rotation = -90;
    EXPECT_NEAR(mean_light(traced(picture, 16, 16)) / by_lamp, 1, 0.02);
}

// Without sampling the map, hardly any path would find its sun.
TEST(path_tracer, finds_a_small_sun_in_a_map) {
    std::vector<Vec3f> texels(std::size_t{512} * 256, Vec3f{0.1f, 0.1f, 0.1f});
    texels[512 * 80 + 10] = {3e4f, 3e4f, 3e4f};
    const StrandSet strands = bundle(100, 2e-4f, {0.5f, 0.4f, 0.3f});
    Picture picture = bundle_under(
        std::make_shared<const EnvironmentMap>(environment_of(512, 256, std::move(texels))),
        strands);
    picture.settings.roughness = 0.6f;
    EXPECT_LT(noise_of(traced(picture, 32, 32)), 0.5f);
}

class gl_and_environment : public PictureTest {};

TEST_F(gl_and_environment, uses_the_mean_colours_of_the_map) {
    const Mesh mesh = ball(0.1f, {0.6f, 0.6f, 0.6f});
    Picture picture;
    picture.meshes = {{&mesh, {{0, 0, 0, 1}, {0, 0.3f, 0}}}};
    picture.light.key = picture.light.rim = 0;
    std::vector<Vec3f> texels(128, Vec3f{2, 0, 0});
    for (std::size_t i = 64; i < 128; ++i) texels[i] = {0, 0, 2};
    picture.light.map =
        std::make_shared<const EnvironmentMap>(environment_of(16, 8, std::move(texels)));
    const Image image = draw(picture, 64, 48);
    int red = 0, blue = 0;
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) {
            const std::uint8_t* const p = image.pixel(x, y);
            red += 2 * p[0] > 3 * p[2] && p[0] > 60;
            blue += 2 * p[2] > 3 * p[0] && p[2] > 60;
        }
    EXPECT_GT(red, 8) << "the upper side";
    EXPECT_GT(blue, 8) << "the lower side";
}

}  // namespace
}  // namespace ringlet
