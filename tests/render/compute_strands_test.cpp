// The compute rasteriser draws what ribbons draw, in the same order, with any amount of memory.
#include "picture_fixture.h"
#include "render_gl/strand_stream.h"

namespace ringlet {
namespace {

class compute_strands : public PictureTest {
protected:
    Image drawn(Picture picture, StrandMode mode, float list_mb = 32) {
        picture.settings.mode = mode;
        picture.settings.list_mb = list_mb;
        return draw(picture, 160, 120);
    }
};

// Curled strands of many hues around the origin.
StrandSet cloud(int count, float spread, float radius) {
    std::vector<TestStrand> strands;
    for (int s = 0; s < count; ++s) {
        const auto number = [s](std::uint32_t channel) {
            return counter_uniform(41, static_cast<std::uint32_t>(s), channel);
        };
        TestStrand strand{{}, radius, {number(0), number(1), number(2)}};
        const Vec3f middle = Vec3f{number(3) - 0.5f, number(4) - 0.5f, number(5) - 0.5f} * spread;
        for (int i = 0; i < 9; ++i) {
            const SinCos<float> turn = sin_cos(0.6f * static_cast<float>(i) + 6 * number(6));
            strand.vertices.push_back(middle +
                                      Vec3f{turn.cos, 0.4f * static_cast<float>(i - 4), turn.sin} *
                                          0.1f * spread);
        }
        strands.push_back(strand);
    }
    return strand_set(strands);
}

Picture picture_of(const StrandSet& strands, float pixels_per_metre) {
    Picture picture;
    picture.camera = measuring_camera(120, pixels_per_metre);
    picture.settings.flat = true;
    picture.strands = view_of(strands);
    return picture;
}

double decibels(const Image& a, const Image& b) {
    double squares = 0;
    for (std::size_t i = 0; i < a.rgba.size(); ++i)
        squares += (a.rgba[i] - b.rgba[i]) * (a.rgba[i] - b.rgba[i]);
    return 10 * std::log10(255 * 255 * static_cast<double>(a.rgba.size()) / (squares + 1e-9));
}

TEST_F(compute_strands, look_like_ribbons_around_a_mesh) {
    const Mesh head = ball(0.04f, {0.75f, 0.5f, 0.4f});
    const StrandSet strands = cloud(800, 0.1f, 0.0002f);
    Picture picture = picture_of(strands, 800);
    picture.settings.flat = false;
    picture.meshes = {{&head}};
    const Image ribbons = drawn(picture, StrandMode::ribbons);
    EXPECT_GT(decibels(drawn(picture, StrandMode::compute), ribbons), 42);
    // Strands behind the mesh are hidden.
    picture.meshes.clear();
    EXPECT_LT(decibels(drawn(picture, StrandMode::compute), ribbons), 30);
}

TEST_F(compute_strands, look_like_ribbons_from_far_and_from_within) {
    const StrandSet strands = cloud(600, 0.1f, 0.0002f);
    for (const float pixels_per_metre : {40.0f, 4000.0f, 40'000.0f}) {
        const Picture picture = picture_of(strands, pixels_per_metre);
        const Image ribbons = drawn(picture, StrandMode::ribbons);
        EXPECT_GT(decibels(drawn(picture, StrandMode::compute), ribbons), 34) << pixels_per_metre;
    }
}

// Wide, opaque, crossing strands show only the nearest, and of equal depths the last.
TEST_F(compute_strands, have_the_nearest_in_front) {
    std::vector<TestStrand> crossing;
    for (int s = 0; s < 48; ++s) {
        const float depth = 0.002f * static_cast<float>(s * 7 % 16);  // three strands at each
        const SinCos<float> turn = sin_cos(0.37f * static_cast<float>(s));
        const Vec3f along{0.2f * turn.cos, 0.2f * turn.sin, 0}, middle{0, 0, depth};
        const auto share = [s](int bit) { return (s & bit) != 0 ? 0.9f : 0.1f; };
        crossing.push_back(
            {{middle - along, middle, middle + along}, 0.008f, {share(1), share(2), share(4)}});
    }
    const StrandSet strands = strand_set(crossing);
    const Picture picture = picture_of(strands, 800);
    const Image ribbons = drawn(picture, StrandMode::ribbons);
    const Image image = drawn(picture, StrandMode::compute);
    // Edges may differ by rounding; a wrong order differs by a whole colour.
    EXPECT_LE(largest_difference(image, ribbons), 12);
}

// The turns of a coil are hardly wider than a pixel here, so its segments meet at sharp angles.
TEST_F(compute_strands, cover_the_same_area_as_tight_coils_drawn_large) {
    std::vector<TestStrand> coils;
    for (int s = 0; s < 40; ++s) {
        TestStrand strand{{}, 0.00005f, {0.9f, 0.9f, 0.9f}};
        for (int i = 0; i < 48; ++i) {
            const SinCos<float> turn = sin_cos(0.9f * static_cast<float>(i + s));
            strand.vertices.push_back({0.004f * static_cast<float>(s - 20) + 0.0015f * turn.cos,
                                       0.001f * static_cast<float>(i - 24), 0.0015f * turn.sin});
        }
        coils.push_back(strand);
    }
    const StrandSet strands = strand_set(coils);
    Picture picture = picture_of(strands, 800);
    picture.settings.mode = StrandMode::compute;
    const auto area = [&](int factor) {
        double sum = 0;
        const Image image = draw(picture, 160 * factor, 120 * factor);
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) sum += image.rgba[i];
        return sum / (factor * factor);
    };
    const double large = area(8);
    const double small = area(1);
    EXPECT_NEAR(small / large, 1, 0.03);
}

TEST_F(compute_strands, are_the_same_with_any_memory) {
    const StrandSet strands = cloud(1500, 0.14f, 0.0005f);
    const Picture picture = picture_of(strands, 800);
    const Image enough = drawn(picture, StrandMode::compute);
    EXPECT_GT(decibels(enough, drawn(picture, StrandMode::ribbons)), 40);
    // Several rounds, and so many that most strands are drawn without lists.
    for (const float list_mb : {0.1f, 1e-5f})
        EXPECT_EQ(largest_difference(drawn(picture, StrandMode::compute, list_mb), enough), 0)
            << list_mb;
}

// Along the edges of a mesh, pixels keep two transmittances from round to round.
TEST_F(compute_strands, are_the_same_around_a_mesh_with_any_memory) {
    const Mesh head = ball(0.04f, {0.75f, 0.5f, 0.4f});
    const StrandSet strands = cloud(1500, 0.14f, 0.0005f);
    Picture picture = picture_of(strands, 800);
    picture.settings.flat = false;
    picture.meshes = {{&head}};
    const Image enough = drawn(picture, StrandMode::compute);
    for (const float list_mb : {0.1f, 1e-5f})
        EXPECT_EQ(largest_difference(drawn(picture, StrandMode::compute, list_mb), enough), 0)
            << list_mb;
}

TEST_F(compute_strands, may_all_be_in_one_tile) {
    const StrandSet strands = cloud(8000, 0.01f, 0.0003f);
    const Picture picture = picture_of(strands, 500);
    const Image enough = drawn(picture, StrandMode::compute);
    EXPECT_GT(decibels(enough, drawn(picture, StrandMode::ribbons)), 40);
    EXPECT_EQ(largest_difference(drawn(picture, StrandMode::compute, 0), enough), 0);
}

// llvmpipe ends the loops of an invocation after 65535 iterations.
TEST_F(compute_strands, may_be_very_many_in_one_pixel) {
    const StrandSet strands = cloud(20'000, 0.003f, 0.00000005f);
    Picture picture = picture_of(strands, 500);
    picture.settings.lod = 0;
    // The strands are near the corners of four tiles; this moves them into one.
    const Vec3f aside{0.01f, 0.01f, 0};
    picture.camera.eye += aside;
    picture.camera.target += aside;
    const Image enough = drawn(picture, StrandMode::compute);
    EXPECT_EQ(largest_difference(drawn(picture, StrandMode::compute, 0), enough), 0);
    picture.strands = {};
    EXPECT_GT(largest_difference(drawn(picture, StrandMode::compute), enough), 20);
}

TEST_F(compute_strands, are_the_same_in_every_run) {
    const StrandSet strands = cloud(1500, 0.14f, 0.0005f);
    const Picture picture = picture_of(strands, 800);
    const Image first = drawn(picture, StrandMode::compute);
    for (int run = 0; run < 3; ++run)
        EXPECT_EQ(largest_difference(drawn(picture, StrandMode::compute), first), 0);
}

// GPUs use another shader for tiles than software renderers.
TEST_F(compute_strands, are_the_same_drawn_by_pixels_and_by_strips) {
    const Mesh head = ball(0.04f, {0.75f, 0.5f, 0.4f});
    const StrandSet strands = cloud(800, 0.1f, 0.0003f);
    Picture picture = picture_of(strands, 800);
    picture.settings.flat = false;
    picture.settings.mode = StrandMode::compute;
    picture.meshes = {{&head}};
    std::vector<Image> images;
    for (const TileShader shader : {TileShader::strips, TileShader::pixels}) {
        auto renderer = RendererGl::create(4, shader);
        ASSERT_TRUE(renderer) << renderer.error().text();
        for (const float list_mb : {32.0f, 1e-5f}) {
            picture.settings.list_mb = list_mb;
            auto image = renderer->draw_to_image(picture, 160, 120);
            ASSERT_TRUE(image);
            images.push_back(std::move(*image));
        }
        EXPECT_TRUE(renderer->messages().empty());
    }
    for (const Image& image : images) EXPECT_LE(largest_difference(image, images[0]), 1);
}

TEST_F(compute_strands, are_ribbons_where_they_exceed_the_largest_buffer) {
    constexpr std::size_t kSmallest = std::size_t{1} << 27;  // llvmpipe's
    EXPECT_EQ(usable_mode(StrandMode::compute, 5'500'000, kSmallest), StrandMode::compute);
    EXPECT_EQ(usable_mode(StrandMode::compute, 5'600'000, kSmallest), StrandMode::ribbons);
    EXPECT_EQ(usable_mode(StrandMode::lines, 5'600'000, kSmallest), StrandMode::lines);
}

// Buffers grow to sizes of which OpenGL can clear any whole number of words.
TEST_F(compute_strands, are_the_same_after_the_image_grew) {
    const StrandSet strands = cloud(300, 0.1f, 0.0003f);
    const Picture picture = picture_of(strands, 800);
    for (const int width : {40, 300, 330, 400}) {
        auto fresh = RendererGl::create();
        ASSERT_TRUE(fresh) << fresh.error().text();
        const auto expected = fresh->draw_to_image(picture, width, 330);
        ASSERT_TRUE(expected);
        draw(picture, width, 330);
        EXPECT_EQ(draw(picture, width, 330).rgba, expected->rgba) << width;
    }
}

TEST_F(compute_strands, may_be_none) {
    const StrandSet strands = cloud(20, 0.1f, 0.0002f);
    Picture picture = picture_of(strands, 800);
    picture.camera.target = picture.camera.eye + Vec3f{0, 0, 1};  // looks away
    const Image image = drawn(picture, StrandMode::compute);
    for (std::size_t i = 0; i < image.rgba.size(); ++i)
        ASSERT_EQ(image.rgba[i], i % 4 == 3 ? 255 : 0);
}

}  // namespace
}  // namespace ringlet
