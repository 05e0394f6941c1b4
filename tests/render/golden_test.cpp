// Compares images with the reference images in golden/. RINGLET_WRITE_GOLDENS=1 golden_test
// replaces those; inspect them before committing.
#include <cstdlib>
#include <filesystem>

#include "io/image/image_file.h"
#include "picture_fixture.h"
#include "test_level.h"
#include "test_paths.h"

namespace ringlet {
namespace {

constexpr int kWidth = 144, kHeight = 108;
const Vec3f kHead{0, 0.3f, 0};

class golden : public PictureTest {
protected:
    void SetUp() override {
        PictureTest::SetUp();
        if (IsSkipped()) return;
        // Other drivers round differently.
        if (context_->description().find("llvmpipe") == std::string::npos)
            GTEST_SKIP() << "reference images are for llvmpipe, not " << context_->description();
    }

    void expect_same(const Picture& picture, const std::string& name) {
        const Image image = draw(picture, kWidth, kHeight);
        const std::filesystem::path path =
            std::filesystem::path(kSourceFolder) / "tests/render/golden" / (name + ".png");
        if (std::getenv("RINGLET_WRITE_GOLDENS")) {
            const auto done = write_image(path, image);
            ASSERT_TRUE(done) << done.error().text();
        }
        const auto kept = read_image(path);
        ASSERT_TRUE(kept) << kept.error().text();
        ASSERT_EQ(kept->rgba.size(), image.rgba.size());
        EXPECT_LT(mean_difference(image, *kept), 0.05) << name;
        // Another version of the driver's compiler may round a few operations differently.
        EXPECT_LE(largest_difference(image, *kept), 3) << name;
    }
};

// Curls around a head except in the face, with random hues.
std::vector<TestStrand> curls(int count) {
    std::vector<TestStrand> strands;
    for (int s = 0; s < count; ++s) {
        const auto number = [s](std::uint32_t channel) {
            return counter_uniform(5, static_cast<std::uint32_t>(s), channel);
        };
        const SinCos<float> around = sin_cos(kPi * (number(0) - 0.5f) * 1.3f);
        const float up = 0.9f - number(1), out = std::sqrt(1 - up * up);
        const Vec3f normal{out * around.sin, up, -out * around.cos};
        const float hue = number(2);
        TestStrand strand{{}, 0.0002f, {0.35f + 0.2f * hue, 0.16f, 0.05f}};
        for (int i = 0; i < 20; ++i) {
            const float t = static_cast<float>(i) / 19;
            const SinCos<float> turn = sin_cos(20 * t + 6 * std::floor(8 * number(0)));
            strand.vertices.push_back(kHead + normal * (0.08f + 0.04f * std::sqrt(t)) +
                                      Vec3f{turn.cos, -14 * t * t, turn.sin} * (0.012f * t));
        }
        strands.push_back(strand);
    }
    return strands;
}

TEST_F(golden, head_of_curls_in_every_mode) {
    RINGLET_TEST_FROM(full);
    const Mesh head = ball(0.08f, {0.75f, 0.5f, 0.4f});
    const StrandSet strands = strand_set(curls(1200));
    Picture picture;
    picture.meshes = {{&head, {Quatf{0, 0, 0, 1}, kHead}}};
    picture.strands = view_of(strands);
    picture.camera = {{0.3f, 0.4f, 0.8f}, {0, 0.27f, 0}, 27};
    picture.settings.ground_height = 0.12f;
    picture.settings.ref_frames = 8;
    const char* const names[] = {"ribbons", "compute", "tessellation", "ref", "lines"};
    for (int mode = 0; mode < 5; ++mode) {
        picture.settings.mode = static_cast<StrandMode>(mode);
        expect_same(picture, names[mode]);
    }
}

TEST_F(golden, hair_against_the_light) {
    const Mesh head = ball(0.08f, {0.75f, 0.5f, 0.4f});
    const StrandSet strands = strand_set(curls(1200));
    Picture picture;
    picture.meshes = {{&head, {Quatf{0, 0, 0, 1}, kHead}}};
    picture.strands = view_of(strands);
    picture.camera = {{-0.3f, 0.3f, -0.8f}, {0, 0.27f, 0}, 27};
    picture.light.rim = 4;
    picture.settings.background = {0.02f, 0.02f, 0.03f};
    picture.settings.ground = false;
    expect_same(picture, "against_the_light");
}

}  // namespace
}  // namespace ringlet
