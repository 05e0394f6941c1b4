// The level of detail draws fewer strands, with the coverage, the colour and the light of all.
#include "render_gl/strand_detail.h"

#include <algorithm>
#include <vector>

#include "picture_fixture.h"
#include "render_gl/strand_stream.h"
#include "test_level.h"

namespace ringlet {
namespace {

TEST(strand_order, numbers_each_control_vertex_once) {
    std::vector<int> counts;
    for (int s = 0; s < 203; ++s) counts.push_back(1 + s % 7);
    const StrandLayout layout(counts);
    const StrandOrder order(layout);
    std::vector<int> seen(order.control_count());
    ASSERT_EQ(order.control_count(), static_cast<std::size_t>(layout.vertex_total()));
    for (int s = 0; s < 203; ++s)
        for (int i = 0; i < counts[static_cast<std::size_t>(s)]; ++i)
            ++seen.at(order.first_control(s) + static_cast<std::uint32_t>(i));
    for (const int times : seen) EXPECT_EQ(times, 1);
}

TEST(strand_order, spreads_the_first_strands_over_all) {
    const StrandLayout layout(std::vector<int>(1000, 4));
    const StrandOrder order(layout);
    EXPECT_EQ(order.control_count(0.1f), 400u);
    EXPECT_EQ(order.control_count(0), 4u) << "one strand at least";
    int per_tenth[10] = {};
    for (int s = 0; s < 1000; ++s)
        if (order.first_control(s) < 400) ++per_tenth[layout.slot_index(s) / 100];
    for (const int drawn : per_tenth) EXPECT_NEAR(drawn, 10, 4);
}

TEST(strand_order, numbers_the_control_vertices_of_each_head) {
    const std::vector<int> first_strands{0, 60, 60, 150};  // the second head has no strands
    std::vector<int> counts;
    for (int s = 0; s < 203; ++s) counts.push_back(1 + s % 7);
    const StrandOrder order(StrandLayout(counts), first_strands);
    ASSERT_EQ(order.head_count(), 4);
    EXPECT_EQ(order.strand_count(1), 0);
    EXPECT_EQ(order.control_count(1, 1), 0u);
    for (int skip = 0; skip < shader::kVertexSteps; ++skip) {
        std::vector<std::vector<int>> seen(4);
        for (int head = 0; head < 4; ++head)
            seen[static_cast<std::size_t>(head)].resize(order.control_count(1, head, skip));
        for (int s = 0; s < 203; ++s) {
            const int head = order.head_of(s);
            EXPECT_EQ(head, s < 60 ? 0 : s < 150 ? 2 : 3);
            const int vertices = counts[static_cast<std::size_t>(s)];
            for (std::uint32_t i = 0; i < control_count_of(vertices, skip); ++i)
                ++seen[static_cast<std::size_t>(head)].at(order.first_control(s, skip) + i);
        }
        for (const auto& head : seen)
            for (const int times : head) EXPECT_EQ(times, 1) << skip;
    }
}

TEST(strand_order, keeps_root_and_tip_of_every_strand) {
    EXPECT_EQ(control_count_of(1, 2), 1u);
    EXPECT_EQ(control_count_of(2, 2), 2u);
    EXPECT_EQ(control_count_of(5, 2), 2u);
    EXPECT_EQ(control_count_of(6, 2), 3u);
    EXPECT_EQ(control_count_of(32, 0), 32u);
    EXPECT_EQ(control_count_of(32, 1), 17u);
}

TEST(strand_detail, limits_the_control_vertices_of_a_crowd) {
    std::vector<HeadDetail> heads{{detail_of_share(1), 0, 3000}, {detail_of_share(0.5), 1, 2000}};
    limit_crowd(heads, 4000);
    EXPECT_EQ(heads[0].strands.share, 1) << "few enough";
    limit_crowd(heads, 1000);
    EXPECT_NEAR(heads[0].strands.share, 0.25, 1e-6);
    EXPECT_NEAR(heads[1].strands.share, 0.125, 1e-6);
    for (const HeadDetail& head : heads)
        EXPECT_NEAR(head.strands.width * (head.strands.share - head.strands.fade / 2), 1, 1e-6);
}

TEST(strand_detail, keeps_the_sum_of_the_widths) {
    for (const double strands : {500.0, 1010.0, 1e4, 1e6, 1e9}) {
        const StrandDetail detail =
            choose_detail({.strands = strands, .length = 100, .width = 0.001, .area = 1e4}, 10);
        EXPECT_NEAR(detail.width * (detail.share - detail.fade / 2), 1, 1e-6) << strands;
        EXPECT_EQ(detail.share<1, strands> 1000) << strands;
    }
    // Strands are not made wider than a third of a pixel.
    const StrandDetail wide =
        choose_detail({.strands = 1e6, .length = 100, .width = 0.3, .area = 1e4}, 10);
    EXPECT_NEAR(wide.share, 0.3 / kWidestThinned, 1e-6);
}

TEST(strand_detail, draws_no_more_than_the_limit) {
    const StrandCrowd crowd{.strands = 5000, .length = 100, .width = 0.1, .area = 1e6};
    for (const double limit : {0.2, 1000.0}) {
        const StrandDetail detail = choose_detail(crowd, 0, limit);
        EXPECT_FLOAT_EQ(detail.share, 0.2f);
        EXPECT_FLOAT_EQ(detail.width, 5);
        EXPECT_EQ(detail.fade, 0);
    }
    for (const double none : {0.0, 1.0, 5000.0, 9000.0})
        EXPECT_EQ(choose_detail(crowd, 0, none).share, 1) << none;
    EXPECT_FLOAT_EQ(choose_detail(crowd, 0, 1e-9).share, 1 / 5000.0f) << "one strand at least";
}

class level_of_detail : public PictureTest {
protected:
    // Strands that hang from a ball, in bands of colours and locks of curls with the radius `curl`.
    static StrandSet wig(int count, float curl = 0) {
        std::vector<TestStrand> strands;
        for (int s = 0; s < count; ++s) {
            const auto number = [s](std::uint32_t channel) {
                return counter_uniform(43, static_cast<std::uint32_t>(s), channel);
            };
            const float up = 2 * number(0) - 1, around = 2 * kPi * number(1);
            const SinCos<float> turn = sin_cos(around);
            const float out = std::sqrt(1 - up * up);
            const Vec3f normal{out * turn.sin, up, out * turn.cos};
            const float band = up > 0 ? 0.9f : 0.3f;
            TestStrand strand{{}, 40e-6f, Vec3f{band, 0.5f, 1.2f - band} * 0.5f};
            const float lock = std::floor(around * 6) * 31 + std::floor(up * 8);
            for (int i = 0; i < 16; ++i) {
                const float t = static_cast<float>(i) / 15;
                const SinCos<float> coil = sin_cos(12 * t + lock);
                strand.vertices.push_back(normal * (0.07f + 0.02f * t) +
                                          Vec3f{coil.cos, 0, coil.sin} * (curl * t) +
                                          Vec3f{0, -0.06f * t * t, 0.01f * number(2) * t});
            }
            strands.push_back(strand);
        }
        return strand_set(strands);
    }
    Picture picture_of(const StrandSet& strands, int height, float lod) {
        Picture picture;
        picture.camera = measuring_camera(height, static_cast<float>(height) / 0.25f);
        picture.strands = view_of(strands);
        picture.settings.mode = StrandMode::compute;
        picture.settings.lod = lod;
        return picture;
    }
    static double to_linear(std::uint8_t byte) {
        const double x = byte / 255.0;
        return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
    }
    static double to_srgb(double x) {
        return 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055);
    }
    // Compares an image with a larger one, averaged in linear light.
    static double decibels(const Image& small, const Image& large) {
        const int factor = large.width / small.width;
        double squares = 0;
        for (int y = 0; y < small.height; ++y)
            for (int x = 0; x < small.width; ++x)
                for (int channel = 0; channel < 3; ++channel) {
                    double sum = 0;
                    for (int k = 0; k < factor * factor; ++k)
                        sum += to_linear(
                            large.pixel(x * factor + k % factor, y * factor + k / factor)[channel]);
                    const double off =
                        small.pixel(x, y)[channel] - to_srgb(sum / (factor * factor));
                    squares += off * off;
                }
        return 10 * std::log10(255 * 255 * 3.0 * small.width * small.height / squares);
    }
};

// At 1/4 and 1/16 of the size of a picture, with the default level of detail, against all strands
// in that picture. About 180 and 700 strands cross a pixel.
TEST_F(level_of_detail, looks_like_full_detail_averaged_down) {
    RINGLET_TEST_FROM(full);
    constexpr int kSide = 512;
    const Mesh head = ball(0.07f, {0.75f, 0.5f, 0.4f});
    // Curls are the harder case.
    for (const float curl :
         test_level() == TestLevel::all ? std::vector{0.008f, 0.0f} : std::vector{0.008f}) {
        const StrandSet strands = wig(40'000, curl);
        const auto drawn = [&](int side, float lod) {
            Picture picture = picture_of(strands, side, lod);
            picture.meshes = {{&head}};
            picture.settings.ground = false;
            return draw(picture, side, side);
        };
        const Image full = drawn(kSide, 0);
        const float lod = RenderSettings{}.lod;
        EXPECT_GT(decibels(drawn(kSide / 4, lod), full), 38) << curl;
        const double with = decibels(drawn(kSide / 16, lod), full);
        EXPECT_GT(with, 38) << curl;
        // Without it, strands are blended as if they were spread over each pixel at random.
        EXPECT_LT(decibels(drawn(kSide / 16, 0), full), with - 2) << curl;
    }
}

TEST_F(level_of_detail, draws_small_heads_into_a_finer_layer) {
    EXPECT_EQ(layer_scale(100, 300, 30, 30), 1);
    EXPECT_EQ(layer_scale(301, 300, 30, 30), 2);
    EXPECT_EQ(layer_scale(700, 300, 30, 30), 4);
    EXPECT_EQ(layer_scale(1e9, 300, 30, 30), kFinestLayer);
    EXPECT_EQ(layer_scale(1e9, 300, kLayerSide / 2, kLayerSide / 2), 2) << "the memory's limit";
    EXPECT_EQ(layer_scale(1e9, 300, kLayerSide / 2, kLayerSide / 2 + 1), 1);
    EXPECT_EQ(layer_scale(1e9, 300, 30'000, 1), 1) << "rows of whole tiles";
    EXPECT_EQ(layer_scale(1e9, 0, 30, 30), 1) << "off";
}

// The layer shows only a part of the image, whose sides are not multiples of a tile's.
TEST_F(level_of_detail, draws_small_heads_anywhere_in_the_image) {
    const StrandSet strands = wig(20'000);
    for (const float aside : {0.0f, 0.06f, -0.17f}) {
        const auto drawn = [&](int side, float lod) {
            Picture picture = picture_of(strands, side, lod);
            picture.camera.eye = {0.8f * aside, 0.3f * aside, 2 * picture.camera.eye.z};
            picture.camera.target = {0.8f * aside, 0.3f * aside, 0};
            picture.settings.ground = false;
            return draw(picture, side, side);
        };
        EXPECT_GT(decibels(drawn(60, 80), drawn(480, 0)), 34) << aside;
    }
}

TEST_F(level_of_detail, keeps_light_and_shadow) {
    const StrandSet strands = wig(12'000);
    const auto mean = [&](float lod) {
        const Image image = draw(picture_of(strands, 64, lod), 64, 64);
        double sum = 0;
        for (std::size_t i = 0; i < image.rgba.size(); ++i) sum += image.rgba[i];
        return sum / static_cast<double>(image.rgba.size());
    };
    const double all = mean(0);
    EXPECT_NEAR(mean(60) / all, 1, 0.02);
}

TEST_F(level_of_detail, draws_fewer_strands_the_farther_they_are) {
    const StrandSet strands = wig(2'000);
    auto made = StrandStream::create();
    ASSERT_TRUE(made);
    const TaskPool pool;
    PassTimer timer;
    std::size_t before = static_cast<std::size_t>(strands.layout->vertex_total()) + 1;
    for (const int height : {64, 16, 4}) {
        RenderSettings settings;
        settings.lod = 10;
        const Camera camera = measuring_camera(height, static_cast<float>(height) / 0.25f);
        made->upload(view_of(strands), view_of(camera, height, height), settings, height, pool,
                     timer);
        EXPECT_LT(made->control_count(), before) << height;
        before = made->control_count();
        settings.lod = 0;
        made->upload(view_of(strands), view_of(camera, height, height), settings, height, pool,
                     timer);
        EXPECT_EQ(made->control_count(), static_cast<std::size_t>(strands.layout->vertex_total()));
    }
}

// One head near the camera, and one eight times as far in the corner of the picture.
class level_of_detail_of_crowds : public level_of_detail {
protected:
    static constexpr Vec3f kFar{0.8f, 0.8f, -10};

    static StrandSet crowd(int per_head) {
        const StrandSet one = wig(per_head, 0.004f);
        StrandSet two{StrandLayout(std::vector<int>(static_cast<std::size_t>(2 * per_head), 16))};
        for (int s = 0; s < 2 * per_head; ++s)
            for (int i = 0; i < 16; ++i) {
                const int from = s % per_head;
                const Vec3f shift = s < per_head ? Vec3f{0, 0, 0} : kFar;
                two.position.set_vec3(s, i, one.position.vec3(from, i) + shift);
                two.colour.set_vec3(s, i, one.colour.vec3(from, i));
                two.radius.at(s, i) = one.radius.at(from, i);
            }
        return two;
    }

    static constexpr int kStrands = 2000;
    // The control vertices of a crowd with kStrands on each head.
    struct Upload {
        explicit Upload(const StrandSet& strands, float lod, double most = kCrowdControls) {
            constexpr int kHeight = 64;
            auto made = StrandStream::create();
            EXPECT_TRUE(made);
            PassTimer timer;
            RenderSettings settings;
            settings.lod = lod;
            made->limit_crowd(most);
            made->upload(view_of(strands),
                         view_of(measuring_camera(kHeight, kHeight / 0.25f), kHeight, kHeight),
                         settings, kHeight, TaskPool(), timer, std::vector<int>{0, kStrands});
            controls.resize(made->control_count());
            glGetNamedBufferSubData(
                made->control_buffer(), 0,
                static_cast<GLsizeiptr>(controls.size() * sizeof(ControlVertex)), controls.data());
        }
        int strands() const {
            return static_cast<int>(std::ranges::count(controls, 0, &ControlVertex::along));
        }
        // Length times diameter of all strands, m^2.
        double area() const {
            double sum = 0;
            for (std::size_t c = 0; c + 1 < controls.size(); ++c)
                if (controls[c].along != shader::kTipAlong)
                    sum +=
                        static_cast<double>(norm(controls[c + 1].position - controls[c].position) *
                                            (controls[c].radius + controls[c + 1].radius));
            return sum;
        }
        std::vector<ControlVertex> controls;
    };
};

TEST_F(level_of_detail_of_crowds, thins_each_head_by_its_own_distance) {
    const Upload near_and_far(crowd(kStrands), 60);
    EXPECT_GE(near_and_far.controls.size(), 16u * kStrands) << "the near head is complete";
    EXPECT_LT(near_and_far.controls.size(), 16u * kStrands * 3 / 2) << "the far head is not";
}

TEST_F(level_of_detail_of_crowds, skips_vertices_and_drops_strands_of_large_crowds) {
    const StrandSet strands = crowd(kStrands);
    const Upload all(strands, 0);
    ASSERT_EQ(all.controls.size(), 32u * kStrands);
    const Upload skipping(strands, 1e5f, 16.0 * kStrands);
    EXPECT_LE(skipping.controls.size(), 16u * kStrands);
    EXPECT_EQ(skipping.strands(), 2 * kStrands) << "no strand is dropped";
    const Upload dropping(strands, 1e5f, 2.0 * kStrands);
    EXPECT_NEAR(static_cast<double>(dropping.controls.size()), 2.0 * kStrands, 0.01 * kStrands);
    EXPECT_NEAR(skipping.area() / all.area(), 1, 0.01);
    EXPECT_NEAR(dropping.area() / all.area(), 1, 0.03);
}

TEST_F(level_of_detail_of_crowds, looks_like_full_detail_averaged_down) {
    constexpr int kMany = 20'000, kSide = 512;
    const StrandSet strands = crowd(kMany);
    const auto drawn = [&](int side, float lod) {
        Picture picture = picture_of(strands, side, lod);
        picture.first_strands = {0, kMany};
        picture.settings.ground = false;
        return draw(picture, side, side);
    };
    const Image full = drawn(kSide, 0);
    EXPECT_GT(decibels(drawn(kSide / 4, 60), full), 34);
    EXPECT_GT(decibels(drawn(kSide / 16, 60), full), 34);
}

}  // namespace
}  // namespace ringlet
