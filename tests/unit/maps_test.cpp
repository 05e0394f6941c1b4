// Images over the mesh's UV and their effect on a groom.
#include <gtest/gtest.h>

#include "cpu_time.h"
#include "groom/grow.h"
#include "groom/maps.h"
#include "groom/roots.h"

namespace ringlet {
namespace {

// Left half black, right half white; the top row half grey.
Image half_and_half() {
    Image image{4, 4, std::vector<std::uint8_t>(64, 255)};
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 2; ++x)
            for (int c = 0; c < 3; ++c) image.pixel(x, y)[c] = 0;
    return image;
}

// A unit square in the plane y = 0 whose UV is (x, z).
Mesh square() {
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
    mesh.normals.assign(4, {0, 1, 0});
    mesh.uvs = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
    mesh.indices = {0, 1, 2, 0, 2, 3};
    mesh.triangle_material = {-1, -1};
    mesh.triangle_group = {-1, -1};
    return mesh;
}

TEST(maps, pixels_are_at_their_uv) {
    Image image{2, 2, std::vector<std::uint8_t>(16, 255)};
    for (int c = 0; c < 3; ++c) image.pixel(0, 0)[c] = 0;  // top left is u = 1/4, v = 3/4
    EXPECT_FLOAT_EQ(sample_grey(image, {0.25f, 0.75f}), 0);
    EXPECT_FLOAT_EQ(sample_grey(image, {0.25f, 0.25f}), 1);
    EXPECT_FLOAT_EQ(sample_grey(image, {0.75f, 0.75f}), 1);
    EXPECT_FLOAT_EQ(sample_grey(image, {1.25f, -0.25f}), 0);  // repeats
    EXPECT_FLOAT_EQ(sample_grey(image, {0.5f, 0.75f}), 0.5f);
}

TEST(maps, colours_are_linearised) {
    Image image{1, 1, {255, 188, 0, 255}};
    const Vec3f colour = sample_colour(image, {0.5f, 0.5f});
    EXPECT_NEAR(colour.x, 1, 1e-5);
    EXPECT_NEAR(colour.y, 0.5028865, 1e-5);  // ((188/255 + 0.055)/1.055)^2.4
    EXPECT_NEAR(colour.z, 0, 1e-6);
}

TEST(maps, an_empty_image_is_white) {
    EXPECT_EQ(sample_grey({}, {0.3f, 0.3f}), 1);
    EXPECT_EQ(sample_colour({}, {0.3f, 0.3f}).y, 1);
}

TEST(maps, hair_grows_where_the_density_is_white) {
    const Image density = half_and_half();
    const Result<std::vector<Root>> roots =
        scatter_roots(square(), {.scalp = "", .density = &density}, 2000);
    ASSERT_TRUE(roots);
    int in_black = 0, in_white = 0;
    for (const Root& root : *roots) {
        in_black += root.uv.x > 0.13f && root.uv.x < 0.37f;
        in_white += root.uv.x > 0.63f && root.uv.x < 0.87f;
    }
    EXPECT_EQ(in_black, 0);
    EXPECT_GT(in_white, 800);
    const Result<std::vector<Root>> fewer =
        scatter_roots(square(), {.scalp = "", .density = &density}, 1000);
    ASSERT_TRUE(fewer);
    for (std::size_t k = 0; k < 1000; ++k)
        EXPECT_EQ((*fewer)[k].position.x, (*roots)[k].position.x);  // still a prefix
}

TEST(maps, a_black_density_is_an_error_and_does_not_hang) {
    Image black = half_and_half();
    for (std::size_t k = 0; k < black.rgba.size(); ++k) black.rgba[k] = k % 4 == 3 ? 255 : 0;
    const Result<std::vector<Root>> roots =
        scatter_roots(square(), {.scalp = "", .density = &black}, 100);
    ASSERT_FALSE(roots);
    EXPECT_NE(roots.error().message.find("almost nowhere"), std::string::npos);
}

// A few accepted roots must not keep the search going for minutes.
TEST(maps, a_density_of_a_few_white_pixels_fails_soon) {
    Image nearly_black{400, 400, {}};
    for (int k = 0; k < 400 * 400; ++k)
        nearly_black.rgba.insert(nearly_black.rgba.end(), {0, 0, 0, 255});
    nearly_black.rgba[0] = nearly_black.rgba[1] = nearly_black.rgba[2] = 255;
    const double start = cpu_seconds();
    EXPECT_FALSE(scatter_roots(square(), {.scalp = "", .density = &nearly_black}, 200000));
    EXPECT_LT(cpu_seconds() - start, 5);
}

TEST(maps, facing_up_keeps_hair_off_the_underside) {
    Mesh both = square();
    for (int k = 0; k < 4; ++k) {  // the same square facing down, a metre lower
        both.positions.push_back(both.positions[static_cast<std::size_t>(k)] + Vec3f{0, -1, 0});
        both.normals.push_back({0, -1, 0});
        both.uvs.push_back(both.uvs[static_cast<std::size_t>(k)]);
    }
    both.indices.insert(both.indices.end(), {4, 6, 5, 4, 7, 6});
    both.triangle_material = {-1, -1, -1, -1};
    both.triangle_group = {-1, -1, -1, -1};
    const auto below = [&](float facing_up) {
        const Result<std::vector<Root>> roots =
            scatter_roots(both, {.scalp = "", .facing_up = facing_up}, 500);
        int count = 0;
        for (const Root& root : *roots) count += root.position.y < -0.5f;
        return count;
    };
    EXPECT_NEAR(below(-1), 250, 5);
    EXPECT_EQ(below(0), 0);
}

TEST(maps, length_and_colour_images_change_the_groom) {
    GroomSettings settings;
    settings.scalp = "";
    settings.strands = 400;
    settings.vertices = 4;
    settings.length = 0.1f;
    settings.length_variation = 0;
    settings.comb.droop = 0;
    settings.comb.variation = 0;
    settings.colour.variation = 0;
    GroomMaps maps;
    maps.length = half_and_half();
    maps.colour = half_and_half();
    Result<StrandSet> grown = grow(settings, maps, square(), TaskPool(1));
    ASSERT_TRUE(grown);
    paint(settings, maps, *grown, TaskPool(1));
    for (int s = 0; s < 400; ++s) {
        const float u = grown->root_uv[static_cast<std::size_t>(s)].x;
        const float length = norm(grown->position.vec3(s, 3) - grown->position.vec3(s, 0));
        if (u > 0.63f && u < 0.87f) {
            EXPECT_NEAR(length, 0.1, 1e-4);
            EXPECT_NEAR(grown->colour.vec3(s, 0).x, settings.colour.root.x, 1e-5);
        }
        EXPECT_FALSE(u > 0.13f && u < 0.37f) << "hair where the length is 0";
        if (u > 0.37f && u < 0.4f) {
            EXPECT_LT(grown->colour.vec3(s, 0).x, settings.colour.root.x);
        }
    }
}

}  // namespace
}  // namespace ringlet
