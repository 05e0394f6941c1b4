// The layers of traced images.
#include "render_rt/traced_image.h"

#include "session/renderers.h"
#include "test_level.h"
#include "trace_fixture.h"

namespace ringlet {
namespace {

constexpr int kSize = 32;

class layers : public testing::Test {
protected:
    layers() {
        picture.strands = view_of(strands);
        picture.meshes = {{&mesh, {}}};
        picture.camera = measuring_camera(kSize, kSize / 0.016f);
        picture.settings.samples = 16;
        picture.settings.exr = ExrNumbers::full;
    }
    TracedImage image() const { return traced(picture, kSize, kSize); }

    StrandSet strands = bundle(150, 2e-4f, {0.8f, 0.6f, 0.4f});
    Mesh mesh = ball(0.005f, {0.6f, 0.4f, 0.3f});
    Picture picture;
};

const std::vector<float>& channel(const LinearImage& image, const std::string& name) {
    const auto found = std::ranges::find(image.channels, name, &LinearChannel::name);
    EXPECT_NE(found, image.channels.end()) << name;
    return found->values;
}

TEST_F(layers, of_the_lights_add_up_to_the_image) {
    picture.settings.clamp = 0.5f;
    const LinearImage all = layers_of(image(), picture.settings);
    for (const std::string colour : {"R", "G", "B"}) {
        const std::vector<float>&sum = channel(all, colour), &key = channel(all, "key." + colour),
              &rim = channel(all, "rim." + colour), &fill = channel(all, "fill." + colour);
        for (std::size_t i = 0; i < sum.size(); ++i)
            ASSERT_NEAR(key[i] + rim[i] + fill[i], sum[i], 1e-6f * sum[i]) << i;
    }
}

TEST_F(layers, of_the_lights_are_images_lit_by_one_of_them) {
    // Without further scattering, all lights use the same random numbers as each alone.
    std::vector<int> numbers{1};
    if (test_level() > TestLevel::quick) numbers.push_back(64);
    for (const int bounces : numbers) {
        picture.settings.bounces = bounces;
        picture.settings.samples = bounces == 1 ? 16 : 256;
        picture.light = {};
        const TracedImage all = image();
        for (std::size_t source = 0; source < Lamps::kSourceCount; ++source) {
            SCOPED_TRACE(std::to_string(source) + " " + std::to_string(bounces));
            picture.light = {};
            if (source != 0) picture.light.key = 0;
            if (source != 1) picture.light.rim = 0;
            if (source != Lamps::kFill) picture.light.fill = 0;
            const TracedImage alone = image();
            double own = 0, expected = 0;
            for (std::size_t i = 0; i < all.pixels.size(); ++i) {
                const Vec3f a = all.pixels[i].by_source[source], b = alone.pixels[i].light;
                own += static_cast<double>(luminance(a));
                expected += static_cast<double>(luminance(b));
                if (bounces == 1) {
                    ASSERT_EQ(norm(a - b), 0) << i;
                }
            }
            ASSERT_GT(expected, 0);
            EXPECT_NEAR(own / expected, 1, 0.03);
        }
    }
}

TEST_F(layers, tell_strands_from_meshes) {
    const TracedImage both = image();
    picture.meshes.clear();
    const TracedImage hair = image();
    double hidden = 0;
    for (std::size_t i = 0; i < both.pixels.size(); ++i) {
        EXPECT_EQ(hair.pixels[i].coverage, hair.pixels[i].alpha);
        EXPECT_LE(both.pixels[i].coverage, hair.pixels[i].coverage);
        hidden += static_cast<double>(hair.pixels[i].coverage - both.pixels[i].coverage);
    }
    EXPECT_GT(hidden, 10) << "strands behind the ball";
    EXPECT_LT(both.at(kSize / 2, kSize / 2).coverage, both.at(kSize / 2, kSize / 2).alpha);
    picture.meshes = {{&mesh, {}}};
    picture.strands = {};
    EXPECT_EQ(image().at(kSize / 2, kSize / 2).coverage, 0);
    EXPECT_EQ(image().at(kSize / 2, kSize / 2).alpha, 1);
}

TEST_F(layers, have_the_numbers_that_the_settings_ask_for) {
    const Result<std::unique_ptr<ImageRenderer>> renderer = create_renderer("trace");
    ASSERT_TRUE(renderer) << renderer.error().text();
    picture.settings.samples = 1;
    for (const ExrNumbers numbers : {ExrNumbers::half, ExrNumbers::full}) {
        picture.settings.exr = numbers;
        ASSERT_TRUE((*renderer)->render(picture, 4, 4, {}));
        for (const LinearChannel& own : (*renderer)->linear_image()->channels)
            EXPECT_EQ(own.is_precise, numbers == ExrNumbers::full || own.name == "Z") << own.name;
    }
}

}  // namespace
}  // namespace ringlet
