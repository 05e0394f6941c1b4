// Light that travels under the surface of meshes.
#include <algorithm>

#include "trace_fixture.h"

namespace ringlet {
namespace {

constexpr int kSize = 40;
constexpr float kRadius = 0.05f;  // m

// A ball in front of the camera, filling most of the picture.
struct BallPicture {
    explicit BallPicture(Vec3f colour) : mesh(ball(kRadius, colour)) {
        picture.meshes = {{&mesh, {}}};
        picture.camera = measuring_camera(kSize, kSize / (2.2f * kRadius));
        picture.settings.samples = 128;
    }
    Mesh mesh;
    Picture picture;
};

Vec3f mean_colour(const TracedImage& image) {
    Vec3f out{0, 0, 0};
    for (const TracedPixel& pixel : image.pixels) out += pixel.light;
    return out * (1 / static_cast<float>(image.pixels.size()));
}

TEST(subsurface, reflects_as_much_light_as_the_colour_says) {
    BallPicture of({0.8f, 0.5f, 0.2f});
    light_evenly(of.picture);
    const Vec3f without = mean_colour(traced(of.picture, kSize, kSize));
    for (const float depth : {2e-4f, 1e-3f}) {
        of.picture.settings.subsurface = depth;
        const Vec3f with = mean_colour(traced(of.picture, kSize, kSize));
        EXPECT_NEAR(with.x / without.x, 1, 0.03) << depth;
        EXPECT_NEAR(with.y / without.y, 1, 0.03) << depth;
        EXPECT_NEAR(with.z / without.z, 1, 0.03) << depth;
    }
}

TEST(subsurface, carries_red_light_farthest_into_the_shadow) {
    BallPicture of({0.6f, 0.6f, 0.6f});
    light_by_lamp(of.picture, {1, 0, 0}, 0);
    // The left half is turned away from the lamp. The band is next to the terminator.
    const auto shaded = [&] {
        const TracedImage image = traced(of.picture, kSize, kSize);
        Vec3f out{0, 0, 0};
        for (int y = kSize / 2 - 4; y < kSize / 2 + 4; ++y)
            for (int x = kSize / 2 - 5; x < kSize / 2 - 1; ++x) out += image.at(x, y).light;
        return out;
    };
    EXPECT_EQ(norm(shaded()), 0);
    of.picture.settings.subsurface = 0.003f;
    const Vec3f lit = shaded();
    EXPECT_GT(lit.x, 0.02f);
    EXPECT_GT(lit.x, 1.5f * lit.y);
    EXPECT_GT(lit.y, 1.2f * lit.z);
}

TEST(subsurface, gives_the_same_bits_with_any_number_of_threads_and_leaves_strands_alone) {
    const StrandSet strands = bundle(100, 1e-4f, {0.7f, 0.5f, 0.3f});
    BallPicture of({0.6f, 0.4f, 0.3f});
    of.picture.settings.samples = 4;
    of.picture.settings.subsurface = 0.002f;
    const TracedImage one = traced(of.picture, kSize, kSize, 1);
    const TracedImage three = traced(of.picture, kSize, kSize, 3);
    // Strands inside the ball neither stop nor scatter the light there.
    of.picture.strands = view_of(strands);
    const TracedImage with_strands = traced(of.picture, kSize, kSize);
    for (std::size_t i = 0; i < one.pixels.size(); ++i) {
        EXPECT_EQ(one.pixels[i].light.x, three.pixels[i].light.x) << i;
        EXPECT_EQ(one.pixels[i].light.z, with_strands.pixels[i].light.z) << i;
    }
}

TEST(subsurface, light_leaves_through_a_hole_of_the_mesh) {
    BallPicture of({0.8f, 0.8f, 0.8f});
    of.picture.settings.subsurface = 0.02f;
    light_evenly(of.picture);
    const Vec3f closed = mean_colour(traced(of.picture, kSize, kSize));
    of.mesh.indices.resize(of.mesh.indices.size() / 2);  // the upper half
    const Vec3f open = mean_colour(traced(of.picture, kSize, kSize));
    EXPECT_GT(open.x, 0.1f * closed.x);
    EXPECT_LT(open.x, 0.9f * closed.x);
}

}  // namespace
}  // namespace ringlet
