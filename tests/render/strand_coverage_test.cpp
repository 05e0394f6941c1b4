// The coverage of a strand equals its length times its width, however thin it is, and an image of
// many strands agrees with a supersampled one.
#include <functional>

#include "picture_fixture.h"
#include "test_level.h"

namespace ringlet {
namespace {

class strand_coverage : public BlendedModes {};
INSTANTIATE_TEST_SUITE_P(of, strand_coverage,
                         testing::Values(StrandMode::ribbons, StrandMode::compute), mode_name);

constexpr int kWidth = 257, kHeight = 193;
constexpr float kScale = 1000;  // pixels per metre at z = 0

// The area in pixels covered by a straight strand of the given length and width in pixels. Its
// middle is `shift` pixels up and right of the image's centre.
double covered(const std::function<Image(const Picture&)>& draw, StrandMode mode, float length,
               float width, float degrees, float shift) {
    const SinCos<float> turn = sin_cos(degrees * kPi / 180);
    const Vec3f middle{shift / kScale, shift / kScale, 0};
    const Vec3f half = Vec3f{turn.cos, turn.sin, 0} * (length / 2 / kScale);
    // A byte resolves a coverage of 0.1 to 2 % only, so thin strands are made brighter. The largest
    // coverage of a pixel is 1.42 widths, at 45 degrees.
    const float bright = width < 1 ? 0.65f / width : 0.9f;
    const StrandSet strands = strand_set(
        {{{middle - half, middle, middle + half}, width / 2 / kScale, {bright, bright, bright}}});
    Picture picture;
    picture.camera = measuring_camera(kHeight, kScale);
    picture.settings.flat = true;
    picture.settings.mode = mode;
    picture.strands = view_of(strands);
    const Image image = draw(picture);
    double sum = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) sum += image.rgba[i];
    return sum / 255 / bright;
}

TEST_P(strand_coverage, equals_length_times_width_at_any_angle_and_shift) {
    RINGLET_TEST_FROM(full);
    const auto draw_here = [this](const Picture& picture) {
        return draw(picture, kWidth, kHeight);
    };
    for (const float width : {0.11f, 0.4f, 1.7f, 9.3f})
        for (const float degrees : {0.0f, 1.0f, 13.0f, 30.0f, 45.0f, 71.0f, 90.0f, 135.0f, 160.0f})
            for (const float shift : {0.0f, 0.25f, 0.5f, 0.77f}) {
                const double area = covered(draw_here, GetParam(), 150, width, degrees, shift);
                EXPECT_NEAR(area / (150 * width), 1, 0.02)
                    << "width " << width << ", " << degrees << " degrees, shift " << shift;
            }
}

TEST_P(strand_coverage, grows_with_the_width_in_the_settings) {
    const StrandSet strands = strand_set({{{{-0.07f, 0, 0}, {0.07f, 0, 0}}, 0.0001f, {1, 1, 1}}});
    Picture picture;
    picture.camera = measuring_camera(kHeight, kScale);
    picture.settings.flat = true;
    picture.settings.mode = GetParam();
    picture.strands = view_of(strands);
    const auto sum = [&] {
        double total = 0;
        const Image image = draw(picture, kWidth, kHeight);
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) total += image.rgba[i];
        return total;
    };
    const double once = sum();
    picture.settings.width = 3;
    EXPECT_NEAR(sum() / once, 3, 0.06);
}

TEST_P(strand_coverage, is_whole_inside_a_strand_wider_than_the_image) {
    const StrandSet strands =
        strand_set({{{{-0.3f, 0.002f, 0}, {0.3f, -0.002f, 0}}, 0.4f, {0.5f, 0.5f, 0.5f}}});
    Picture picture;
    picture.camera = measuring_camera(kHeight, kScale);
    picture.settings.flat = true;
    picture.settings.mode = GetParam();
    picture.strands = view_of(strands);
    const Image image = draw(picture, kWidth, kHeight);
    for (std::size_t i = 0; i < image.rgba.size(); i += 4)
        ASSERT_NEAR(image.rgba[i], 128, 1) << "pixel " << i / 4;
}

std::vector<TestStrand> curls(int count, float radius) {
    std::vector<TestStrand> strands;
    for (int s = 0; s < count; ++s) {
        const auto number = [s](std::uint32_t channel) {
            return counter_uniform(11, static_cast<std::uint32_t>(s), channel);
        };
        const float shade = 0.4f + 0.5f * number(0);
        TestStrand strand{{}, radius, {shade, 0.7f * shade, 0.4f * shade}};
        for (int i = 0; i < 24; ++i) {
            const float t = static_cast<float>(i) / 23;
            const SinCos<float> turn = sin_cos(14 * t + 6 * number(3));
            strand.vertices.push_back({number(4) * 0.1f - 0.05f + turn.cos * 0.012f,
                                       0.06f - 0.12f * t,
                                       number(5) * 0.1f - 0.05f + turn.sin * 0.012f});
        }
        strands.push_back(strand);
    }
    return strands;
}

double signal_to_noise(const Image& a, const Image& large, int factor) {
    double squares = 0;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x)
            for (int c = 0; c < 3; ++c) {
                double mean = 0;
                for (int j = 0; j < factor; ++j)
                    for (int i = 0; i < factor; ++i)
                        mean += large.pixel(x * factor + i, y * factor + j)[c];
                mean /= factor * factor;
                squares += (a.pixel(x, y)[c] - mean) * (a.pixel(x, y)[c] - mean);
            }
    const double per_byte = squares / (a.width * a.height * 3.0);
    return 10 * std::log10(255 * 255 / per_byte);
}

// Measures how well a mode draws curls of a given width in pixels, against the same image rendered
// eight times as large, and against the mean of many shifted images of solid strands.
class CurlQuality {
public:
    using Draw = std::function<Image(const Picture&, int side)>;

    CurlQuality(Draw draw, float width_in_pixels)
        : draw_(std::move(draw)), strands_(strand_set(curls(220, width_in_pixels / 2 / kScale))) {
        picture_.camera = measuring_camera(kSide, kScale);
        picture_.settings.flat = true;
        picture_.settings.subdivision = 4;
        picture_.settings.ref_frames = 96;
        picture_.strands = view_of(strands_);
        large_ = small(StrandMode::ribbons, kFactor);
        reference_ = small(StrandMode::ref);
    }
    Image small(StrandMode mode, int factor = 1) {
        picture_.settings.mode = mode;
        return draw_(picture_, kSide * factor);
    }
    double against_large(StrandMode mode) { return signal_to_noise(small(mode), large_, kFactor); }
    double against_reference(StrandMode mode) {
        return signal_to_noise(small(mode), reference_, 1);
    }

private:
    static constexpr int kSide = 96, kFactor = 8;
    static constexpr float kScale = 675;  // pixels per metre
    Draw draw_;
    StrandSet strands_;
    Picture picture_;
    Image large_, reference_;
};

constexpr double kThin = 32, kThick = 30;  // dB

void expect_agreement(CurlQuality& thin, CurlQuality& thick, StrandMode mode) {
    EXPECT_GT(thin.against_large(mode), kThin);
    EXPECT_GT(thick.against_large(mode), kThick);
    // Solid strands occlude each other exactly, blended ones on average.
    EXPECT_GT(thin.against_reference(mode), kThin - 2);
    EXPECT_GT(thick.against_reference(mode), kThick);
}

using curl_quality = PictureTest;

TEST_F(curl_quality, of_many_curls_agrees_with_supersampling) {
    RINGLET_TEST_FROM(full);
    const auto draw_here = [this](const Picture& p, int side) { return draw(p, side, side); };
    CurlQuality thin(draw_here, 0.25f), thick(draw_here, 1.5f);
    for (const StrandMode mode :
         {StrandMode::ribbons, StrandMode::compute, StrandMode::tessellation}) {
        SCOPED_TRACE(word_of(mode));
        expect_agreement(thin, thick, mode);
        EXPECT_GT(signal_to_noise(thin.small(mode), thin.small(StrandMode::ribbons), 1), 45);
    }
    // The two references agree with each other, and both detect the errors of lines.
    EXPECT_GT(thin.against_large(StrandMode::ref), kThin - 2);
    EXPECT_LT(thin.against_large(StrandMode::lines), kThin - 6);
    EXPECT_LT(thin.against_reference(StrandMode::lines), kThin - 6);
}

TEST_P(strand_coverage, hardly_changes_when_the_camera_moves_less_than_a_pixel) {
    const StrandSet strands = strand_set(curls(300, 0.0002f));
    Picture picture;
    picture.camera = measuring_camera(128, 900);
    picture.settings.flat = true;
    picture.settings.mode = GetParam();
    picture.strands = view_of(strands);
    std::vector<double> sums;
    for (const float shift : {0.0f, 0.3f, 0.6f, 0.9f}) {
        Picture moved = picture;
        moved.camera.eye.x += shift / 900;
        moved.camera.target.x += shift / 900;
        const Image image = draw(moved, 128, 128);
        double sum = 0;
        for (const std::uint8_t byte : image.rgba) sum += byte;
        sums.push_back(sum - 255.0 * 128 * 128);
    }
    for (const double sum : sums) EXPECT_NEAR(sum / sums[0], 1, 0.005);
}

// The mean difference of each frame from the mean of its neighbours, in bytes. Uniform motion does
// not contribute.
double flicker(const std::vector<Image>& frames) {
    double sum = 0;
    for (std::size_t f = 1; f + 1 < frames.size(); ++f)
        for (std::size_t i = 0; i < frames[f].rgba.size(); ++i)
            sum +=
                std::abs(frames[f].rgba[i] - 0.5 * (frames[f - 1].rgba[i] + frames[f + 1].rgba[i]));
    return sum / static_cast<double>((frames.size() - 2) * frames[0].rgba.size());
}

Image shrunk(const Image& large, int factor) {
    Image out{large.width / factor, large.height / factor, {}};
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x)
            for (int c = 0; c < 4; ++c) {
                int sum = 0;
                for (int j = 0; j < factor; ++j)
                    for (int i = 0; i < factor; ++i)
                        sum += large.pixel(x * factor + i, y * factor + j)[c];
                out.rgba.push_back(static_cast<std::uint8_t>(sum / (factor * factor)));
            }
    return out;
}

TEST_P(strand_coverage, does_not_flicker_while_the_camera_turns) {
    RINGLET_TEST_FROM(full);
    constexpr int kSide = 96, kFactor = 4;
    const StrandSet strands = strand_set(curls(220, 0.4f / 2 / 675));
    const auto turn = [&](StrandMode mode, int factor) {
        std::vector<Image> frames;
        for (int frame = 0; frame < 5; ++frame) {
            Picture picture;
            picture.camera = measuring_camera(kSide, 675);
            const SinCos<float> angle = sin_cos(static_cast<float>(frame) * 0.003f);
            picture.camera.eye = Vec3f{angle.sin, 0, angle.cos} * picture.camera.eye.z;
            picture.settings.flat = true;
            picture.settings.subdivision = 3;
            picture.settings.mode = mode;
            picture.strands = view_of(strands);
            frames.push_back(shrunk(draw(picture, kSide * factor, kSide * factor), factor));
        }
        return flicker(frames);
    };
    const double seen = turn(GetParam(), 1);
    EXPECT_LT(seen, 1.25 * turn(StrandMode::ribbons, kFactor)) << "more than the motion";
    EXPECT_GT(turn(StrandMode::lines, 1), 2 * seen) << "this test detects no flicker";
}

}  // namespace
}  // namespace ringlet
