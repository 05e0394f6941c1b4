// The light that the path tracer finds, against closed forms, and properties of its images.
#include "render_rt/path_tracer.h"

#include "math/elementary.h"
#include "render_rt/lamps.h"
#include "render_rt/skin_scatter.h"
#include "session/renderers.h"
#include "shade/fibre_scatter.h"
#include "test_level.h"
#include "trace_fixture.h"

namespace ringlet {
namespace {

constexpr int kSize = 32;

Picture bundle_picture(const StrandSet& strands) {
    Picture picture;
    picture.strands = view_of(strands);
    picture.camera = measuring_camera(kSize, kSize / 0.016f);
    picture.settings.samples = 16;
    return picture;
}

TEST(path_tracer, in_a_white_furnace_gives_back_all_light) {
    const StrandSet strands = bundle(400, 2e-4f, {1, 1, 1});
    Picture picture = bundle_picture(strands);
    light_evenly(picture);
    picture.settings.bounces = 1000;
    for (const CurveShape shape : {CurveShape::flat, CurveShape::round}) {
        SCOPED_TRACE(word_of(shape));
        picture.settings.curves = shape;
        const TracedImage image = traced(picture, kSize, kSize);
        ASSERT_GT(mean_alpha(image), 0.5);
        for (const TracedPixel& pixel : image.pixels) {
            ASSERT_NEAR(pixel.light.x, pixel.alpha, 1e-4f * pixel.alpha + 1e-6f);
            ASSERT_NEAR(pixel.light.z, pixel.alpha, 1e-4f * pixel.alpha + 1e-6f);
        }
    }
}

// The scattering function of a fibre contains what happens within, so a ray that leaves a straight
// strand does not meet it again.
TEST(path_tracer, scatters_once_at_a_straight_round_strand) {
    const Vec3f along = unit_or(Vec3f{0.6f, 1, 0.3f}, Vec3f{0, 1, 0});
    const StrandSet strands = strand_set(
        {{{along * -0.02f, along * -0.01f, along * 0.01f, along * 0.02f}, 1e-3f, {1, 1, 1}}});
    Picture picture;
    picture.strands = view_of(strands);
    picture.camera = measuring_camera(kSize, kSize / 0.008f);
    picture.settings.curves = CurveShape::round;
    light_evenly(picture);
    picture.settings.bounces = 1;
    const TracedImage once = traced(picture, kSize, kSize);
    ASSERT_GT(mean_alpha(once), 0.1);
    EXPECT_NEAR(mean_light(once) / mean_alpha(once), 1, 1e-3) << "the share of paths that escape";
}

TEST(path_tracer, loses_light_to_the_pigment_and_to_too_few_bounces) {
    const StrandSet strands = bundle(400, 2e-4f, {1, 1, 1});
    const StrandSet brown = bundle(400, 2e-4f, {0.3f, 0.15f, 0.08f});
    Picture picture = bundle_picture(brown);
    light_evenly(picture);
    const TracedImage image = traced(picture, kSize, kSize);
    EXPECT_LT(mean_light(image), 0.7 * mean_alpha(image));
    picture.strands = view_of(strands);
    picture.settings.bounces = 2;
    const TracedImage few = traced(picture, kSize, kSize);
    EXPECT_LT(mean_light(few), 0.95 * mean_alpha(few));
}

// One straight strand under a lamp: the mean over its width, integrated from the model.
double expected_strand_light(const Fibre& fibre, Vec3f along, Vec3f colour, const Lamp& lamp) {
    const FibreShape shape(fibre);
    const float absorption = absorption_of_colour(colour.y, fibre.rough_around);
    const Vec3f view{0, 0, 1};
    const float sine = dot(view, along);
    const Vec3f across = unit_or(view - along * sine, view), side = cross(along, across);
    constexpr int kOffsets = 1000;
    constexpr std::uint64_t kPoints = 200;
    double sum = 0;
    for (int i = 0; i < kOffsets; ++i) {
        const float h = (static_cast<float>(i) + 0.5f) / kOffsets * 2 - 1;
        const FibreScatter scatter(shape, {absorption, absorption, absorption}, h, std::asin(sine));
        for (std::uint64_t k = 1; k <= kPoints; ++k) {
            const std::uint64_t number = static_cast<std::uint64_t>(i) * kPoints + k;
            const Vec3f l = lamp.sample(static_cast<float>(halton(number, 2)),
                                        static_cast<float>(halton(number, 3)));
            const float s = dot(l, along);
            const float value =
                scatter.value({s, std::sqrt(1 - s * s), std::atan2(dot(l, side), dot(l, across))})
                    .y;
            const float scale = lamp.density > 0 ? lamp.radiance.y / lamp.density : 1;
            sum += static_cast<double>(value * scale);
        }
    }
    return sum / (kOffsets * static_cast<double>(kPoints));
}

TEST(path_tracer, lights_one_strand_as_the_fibre_model_does) {
    const Vec3f along = unit_or(Vec3f{0.6f, 1, 0.3f}, Vec3f{0, 1, 0});
    const Vec3f colour{0.6f, 0.6f, 0.6f};
    const StrandSet strands = strand_set(
        {{{along * -0.02f, along * -0.01f, along * 0.01f, along * 0.02f}, 1e-3f, colour}});
    // A point, a soft box, and a lamp as large as half the sky, which most scattered rays find.
    for (const float size : {0.0f, 10.0f, 90.0f})
        for (const Vec3f direction : {Vec3f{0.4f, 0.3f, 1}, Vec3f{-0.4f, 0.1f, -1}}) {
            Picture picture;
            picture.strands = view_of(strands);
            // From far away, so that all of the strand is seen from the same direction.
            picture.camera = {{0, 0, 0.004f / std::tan(0.5f * kPi / 180)}, {0, 0, 0}, 1};
            light_by_lamp(picture, direction, size);
            picture.settings.samples = 256;
            const Lamps lamps(picture.light, picture.settings.background);
            const double expected = expected_strand_light(fibre_of(picture.settings.roughness),
                                                          along, colour, lamps.all[0]);
            for (const CurveShape shape : {CurveShape::flat, CurveShape::round}) {
                picture.settings.curves = shape;
                const TracedImage image = traced(picture, kSize, kSize);
                EXPECT_NEAR(mean_light(image) / mean_alpha(image) / expected, 1, 0.02)
                    << size << " " << direction.z << " " << word_of(shape);
            }
        }
}

TEST(path_tracer, lights_skin_the_same_by_lamps_of_any_size) {
    const Mesh mesh = ball(0.05f, {0.5f, 0.5f, 0.5f});
    Picture picture;
    picture.meshes = {{&mesh, {}}};
    picture.camera = measuring_camera(kSize, kSize / 0.11f);
    picture.settings.samples = 256;
    double means[3];
    const float sizes[3] = {0, 8, 24};
    for (int i = 0; i < 3; ++i) {
        light_by_lamp(picture, {0.3f, 0.2f, 1}, sizes[i]);
        means[i] = mean_light(traced(picture, kSize, kSize));
    }
    EXPECT_NEAR(means[1] / means[0], 1, 0.01);
    EXPECT_NEAR(means[2] / means[0], 1, 0.03)
        << "a large lamp lights a little beyond the terminator";
    EXPECT_GT(means[0], 0.5 * 0.5 / 3.15 * 0.5) << "a lit ball";
}

TEST(skin_scatter, reflects_nearly_all_light_from_a_white_base) {
    for (const float cosine : {0.95f, 0.5f, 0.15f}) {
        const Vec3f view{std::sqrt(1 - cosine * cosine), 0, cosine};
        const SkinScatter skin({1, 1, 1}, {0, 0, 1}, view);
        double all = 0, density = 0;
        constexpr int kAlong = 300, kAround = 360;
        for (int i = 0; i < kAlong; ++i)
            for (int k = 0; k < kAround; ++k) {
                const float z = (static_cast<float>(i) + 0.5f) / kAlong;
                const float turn = (static_cast<float>(k) + 0.5f) / kAround * 2 * kPi;
                const float wide = std::sqrt(1 - z * z);
                const SkinScatter::Evaluation at =
                    skin.evaluate({wide * std::cos(turn), wide * std::sin(turn), z});
                all += static_cast<double>(at.value.y);
                density += static_cast<double>(at.density);
            }
        const double area = 2 * 3.14159265 / (kAlong * kAround);
        EXPECT_NEAR(all * area, 1, 0.03) << cosine;
        // Some samples of the highlight point below a surface seen edge on.
        EXPECT_LT(density * area, 1.01) << cosine;
        EXPECT_GT(density * area, cosine > 0.4f ? 0.97 : 0.7) << cosine;
    }
}

void expect_same_bits(const TracedImage& one, const TracedImage& other) {
    ASSERT_EQ(one.pixels.size(), other.pixels.size());
    for (std::size_t i = 0; i < one.pixels.size(); ++i) {
        const TracedPixel &a = one.pixels[i], &b = other.pixels[i];
        ASSERT_EQ(a.light.x, b.light.x) << i;
        ASSERT_EQ(a.light.y, b.light.y) << i;
        ASSERT_EQ(a.light.z, b.light.z) << i;
        ASSERT_EQ(a.backdrop.x, b.backdrop.x) << i;
        ASSERT_EQ(a.depth, b.depth) << i;
        ASSERT_EQ(a.coverage, b.coverage) << i;
        ASSERT_EQ(a.motion.x, b.motion.x) << i;
        for (std::size_t k = 0; k < a.by_source.size(); ++k)
            ASSERT_EQ(a.by_source[k].y, b.by_source[k].y) << i;
        ASSERT_EQ(a.samples, b.samples) << i;
    }
}

TEST(path_tracer, gives_the_same_bits_with_any_number_of_threads) {
    const StrandSet strands = bundle(300, 1e-4f, {0.7f, 0.5f, 0.3f});
    const Mesh mesh = ball(0.004f, {0.6f, 0.4f, 0.3f});
    Picture picture = bundle_picture(strands);
    picture.meshes = {{&mesh, {}}};
    picture.settings.noise = 0.2f;
    picture.settings.shutter = 0.5f;
    const auto open = std::make_shared<OpenShutter>();
    open->camera = picture.camera;
    open->positions = strands.position;
    open->meshes = {{{{0, 0, 0, 1}, {0.001f, 0, 0}}, mesh.positions}};
    picture.open_shutter = open;
    const TracedImage one = traced(picture, 50, 37, 1);
    for (const int threads : {2, 4}) {
        SCOPED_TRACE(threads);
        expect_same_bits(one, traced(picture, 50, 37, threads));
    }
}

TEST(path_tracer, preview_covers_the_image_at_once_and_ends_with_the_same_bits) {
    constexpr int kWidth = 90, kHeight = 37;  // not multiples of a tile
    const StrandSet strands = bundle(300, 1e-4f, {0.7f, 0.5f, 0.3f});
    Picture picture = bundle_picture(strands);
    picture.settings.samples = 3;
    const TracedImage whole = traced(picture, kWidth, kHeight);
    const Result<RayScene> scene = RayScene::build(picture, kHeight);
    ASSERT_TRUE(scene);
    TracedPreview preview(picture, *scene, kWidth, kHeight);
    const TaskPool pool(2);
    EXPECT_EQ(preview.image().width, kWidth);
    int calls = 0, covering = 0;
    for (bool continues = true; continues; ++calls) {
        continues = preview.improve(0, pool);
        const auto has_samples = [](const TracedPixel& pixel) { return pixel.samples > 0; };
        if (std::ranges::all_of(preview.image().pixels, has_samples)) ++covering;
        EXPECT_EQ(preview.samples() == 3, !continues);
    }
    EXPECT_GT(calls, 10) << "it is traced in small parts";
    EXPECT_GE(covering, calls - 1) << "one tile has all pixels at first";
    expect_same_bits(whole, preview.image());
}

TEST(path_tracer, continues_an_unfinished_image_to_the_same_bits) {
    const StrandSet strands = bundle(300, 1e-4f, {0.7f, 0.5f, 0.3f});
    Picture picture = bundle_picture(strands);
    picture.settings.noise = 0.2f;
    picture.settings.samples = 64;
    const TracedImage whole = traced(picture, 50, 37, 1);
    const Result<RayScene> scene = RayScene::build(picture);
    ASSERT_TRUE(scene);
    // Stops after a number of rounds, one of them when some tiles are finished.
    for (const int rounds : {1, 6}) {
        SCOPED_TRACE(rounds);
        ImageStore store;
        int round = 0;
        store.offer = [&](const std::function<std::string()>& bytes) { store.begun = bytes(); };
        const auto stops = [&](const TraceState&) { return ++round < rounds; };
        ASSERT_FALSE(trace(picture, *scene, 50, 37, TaskPool(2), stops, store));
        ASSERT_FALSE(store.begun.empty());
        int first_sample = 0;
        const auto watches = [&](const TraceState& state) {
            if (first_sample == 0) first_sample = state.samples;
            return true;
        };
        const Result<TracedImage> continued =
            trace(picture, *scene, 50, 37, TaskPool(3), watches, {.begun = store.begun});
        ASSERT_TRUE(continued) << continued.error().text();
        EXPECT_EQ(first_sample, 4 * (rounds + 1)) << "samples are not taken again";
        expect_same_bits(whole, *continued);
    }
    ImageStore other;
    other.begun = std::string(100, 'x');
    const Result<TracedImage> refused = trace(picture, *scene, 50, 37, TaskPool(1), {}, other);
    EXPECT_FALSE(refused);
}

double square_error(const TracedImage& image, const TracedImage& reference) {
    double sum = 0;
    for (std::size_t i = 0; i < image.pixels.size(); ++i) {
        const double away = static_cast<double>(luminance(image.pixels[i].light) -
                                                luminance(reference.pixels[i].light));
        sum += away * away;
    }
    return sum / static_cast<double>(image.pixels.size());
}

TEST(path_tracer, has_a_variance_that_falls_with_the_number_of_samples) {
    RINGLET_TEST_FROM(full);
    const StrandSet strands = bundle(200, 2e-4f, {0.7f, 0.5f, 0.3f});
    Picture picture = bundle_picture(strands);
    // Without peaks, whose rare samples would dominate the error.
    picture.light.size = 60;
    picture.settings.roughness = 0.6f;
    const auto with_samples = [&](int samples) {
        picture.settings.samples = samples;
        return traced(picture, kSize, kSize);
    };
    const TracedImage reference = with_samples(512), few = with_samples(8), more = with_samples(32);
    const double ratio = square_error(few, reference) / square_error(more, reference);
    EXPECT_NEAR(ratio, 4, 0.6);
    // The estimate agrees with the error.
    const double estimate = static_cast<double>(noise_of(more));
    double light = 0;
    int covered = 0;
    for (const TracedPixel& pixel : more.pixels)
        if (pixel.alpha > 0) {
            light += static_cast<double>(luminance(pixel.light + pixel.backdrop));
            ++covered;
        }
    double error = 0;
    for (std::size_t i = 0; i < more.pixels.size(); ++i) {
        const TracedPixel &a = more.pixels[i], &b = reference.pixels[i];
        if (!(a.alpha > 0)) continue;
        const double away =
            static_cast<double>(luminance(a.light + a.backdrop) - luminance(b.light + b.backdrop));
        error += away * away;
    }
    EXPECT_NEAR(std::sqrt(error / covered) / (light / covered) / estimate, 1, 0.25);
}

TEST(path_tracer, has_less_error_than_independent_samples) {
    const Mesh mesh = ball(0.05f, {0.5f, 0.5f, 0.5f});
    Picture picture;
    picture.meshes = {{&mesh, {}}};
    picture.camera = measuring_camera(16, 16 / 0.06f);
    light_by_lamp(picture, {0.3f, 0.2f, 1}, 60);
    picture.settings.samples = 2048;
    const TracedImage reference = traced(picture, 16, 16);
    picture.settings.samples = 64;
    const TracedImage image = traced(picture, 16, 16);
    double variance = 0;  // of independent samples
    for (const TracedPixel& pixel : image.pixels) variance += static_cast<double>(pixel.variance);
    const double error = square_error(image, reference) * static_cast<double>(image.pixels.size());
    EXPECT_LT(error, 0.25 * variance);
}

TEST(path_tracer, stops_where_the_noise_is_low_enough) {
    const StrandSet strands = bundle(200, 2e-4f, {0.7f, 0.5f, 0.3f});
    Picture picture = bundle_picture(strands);
    picture.settings.samples = 2048;
    picture.settings.noise = 0.3f;
    const TracedImage image = traced(picture, kSize, kSize);
    double samples = 0;
    for (const TracedPixel& pixel : image.pixels) samples += pixel.samples;
    EXPECT_LT(samples / (kSize * kSize), 500);
    EXPECT_LT(noise_of(image), 0.35f);
    EXPECT_GT(noise_of(image), 0.1f);
}

TEST(path_tracer, limits_only_indirect_light_and_only_if_asked) {
    const StrandSet strands = bundle(200, 2e-4f, {0.9f, 0.8f, 0.7f});
    Picture picture = bundle_picture(strands);
    const double exact = mean_light(traced(picture, kSize, kSize));
    picture.settings.clamp = 0.05f;
    EXPECT_LT(mean_light(traced(picture, kSize, kSize)), 0.97 * exact);
    picture.settings.clamp = 1e6f;
    EXPECT_EQ(mean_light(traced(picture, kSize, kSize)), exact);
}

TEST(path_tracer, covers_length_times_width) {
    const StrandSet strands =
        strand_set({{{{-0.003f, -0.001f, 0}, {0, 0, 0}, {0.003f, 0.001f, 0}}, 5e-5f}});
    Picture picture;
    picture.strands = view_of(strands);
    picture.camera = measuring_camera(kSize, kSize / 0.008f);
    picture.settings.flat = true;
    picture.settings.samples = 256;
    const TracedImage image = traced(picture, kSize, kSize);
    const double area = mean_alpha(image) * 0.008 * 0.008;
    EXPECT_NEAR(area / (2 * std::hypot(0.003, 0.001) * 1e-4), 1, 0.03);
    EXPECT_NEAR(mean_light(image), mean_alpha(image), 1e-6) << "white strands over black";
}

TEST(path_tracer, casts_softer_shadows_from_larger_lamps) {
    // A strand as thick as a finger shadows a large ball.
    const Mesh mesh = ball(0.2f, {0.5f, 0.5f, 0.5f});
    const StrandSet strands = strand_set(
        {{{{-0.1f, 0.15f, 0.3f}, {-0.03f, 0.15f, 0.3f}, {0.03f, 0.15f, 0.3f}, {0.1f, 0.15f, 0.3f}},
          0.01f,
          {0.02f, 0.02f, 0.02f}}});
    Picture picture;
    picture.meshes = {{&mesh, {}}};
    picture.strands = view_of(strands);
    picture.camera = measuring_camera(kSize, kSize / 0.2f);
    picture.settings.samples = 64;
    float darkest[2];
    for (int i = 0; i < 2; ++i) {
        light_by_lamp(picture, {0, 1, 1}, i == 0 ? 0.0f : 25.0f);
        const TracedImage image = traced(picture, kSize, kSize);
        darkest[i] = 1e9f;
        for (int y = 4; y < kSize - 4; ++y)
            darkest[i] = std::min(darkest[i], image.at(kSize / 2, y).light.y);
    }
    EXPECT_LT(darkest[0], 0.01f);
    EXPECT_GT(darkest[1], 0.02f);
}

class trace_and_gl : public PictureTest {};

TEST_F(trace_and_gl, show_the_same_backdrop_and_outline) {
    const Mesh mesh = ball(0.1f, {0.6f, 0.45f, 0.35f});
    Picture picture;
    picture.meshes = {{&mesh, {{0, 0, 0, 1}, {0.05f, 0.3f, 0}}}};
    picture.settings.ground = false;
    picture.settings.samples = 64;
    const Image gl = draw(picture, 72, 54);
    const Image rt = develop(traced(picture, 72, 54), picture.settings);
    int outside = 0, worst = 0;
    const TracedImage cover = traced(picture, 72, 54);
    for (int y = 0; y < 54; ++y)
        for (int x = 0; x < 72; ++x) {
            if (cover.at(x, y).alpha > 0) continue;
            ++outside;
            for (int c = 0; c < 3; ++c)
                worst = std::max(worst, std::abs(gl.pixel(x, y)[c] - rt.pixel(x, y)[c]));
        }
    EXPECT_GT(outside, 2000);
    EXPECT_LE(worst, 1);
    EXPECT_LT(mean_difference(gl, rt), 6) << "the same place and a similar brightness";
}

TEST(image_renderer_trace, draws_reports_progress_and_stops) {
    const Result<std::unique_ptr<ImageRenderer>> renderer = create_renderer("trace");
    ASSERT_TRUE(renderer) << renderer.error().text();
    EXPECT_NE((*renderer)->description().find("Embree"), std::string::npos);
    const StrandSet strands = bundle(20, 2e-4f, {0.7f, 0.5f, 0.3f});
    Picture picture = bundle_picture(strands);
    picture.marks.push_back({});
    float last = 0;
    const Result<Image> image =
        (*renderer)->render(picture, 20, 16, [&](float share, std::string_view state) {
            EXPECT_NE(state.find("samples, noise"), std::string_view::npos) << state;
            EXPECT_GT(share, last);
            last = share;
            return true;
        });
    ASSERT_TRUE(image) << image.error().text();
    EXPECT_EQ(image->width, 20);
    EXPECT_EQ(image->height, 16);
    EXPECT_EQ(last, 1);
    const LinearImage* const linear = (*renderer)->linear_image();
    ASSERT_TRUE(linear);
    EXPECT_EQ(linear->width, 20);
    for (const LinearChannel& channel : linear->channels)
        EXPECT_EQ(channel.values.size(), 320u) << channel.name;
    ASSERT_EQ((*renderer)->warnings().size(), 1u);
    EXPECT_NE((*renderer)->warnings()[0].find("marks"), std::string::npos);
    const Result<Image> stopped =
        (*renderer)->render(picture, 20, 16, [](float, std::string_view) { return false; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().message, "stopped");
    EXPECT_FALSE((*renderer)->render(picture, 0, 16, {}));
}

}  // namespace
}  // namespace ringlet
