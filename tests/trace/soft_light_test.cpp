// The real-time renderer against the path tracer: hair and skin in soft light and under a lamp.
#include "test_level.h"
#include "trace_fixture.h"

namespace ringlet {
namespace {

constexpr int kSide = 48;

// The mean over the pixels well inside a ball of 8 cm. The pictures are grey.
bool is_inside(int x, int y) { return std::hypot(x - kSide / 2, y - kSide / 2) < 0.3 * kSide; }

double traced_light(const Picture& picture) {
    const TracedImage image = traced(picture, kSide, kSide);
    double sum = 0, count = 0;
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            if (!is_inside(x, y)) continue;
            sum +=
                static_cast<double>(image.pixels[static_cast<std::size_t>(y * kSide + x)].light.y);
            ++count;
        }
    return sum / count;
}

class soft_light : public PictureTest {
protected:
    double drawn_light(const Picture& picture) {
        const Image image = draw(picture, kSide, kSide);
        double sum = 0, count = 0;
        for (int y = 0; y < kSide; ++y)
            for (int x = 0; x < kSide; ++x) {
                if (!is_inside(x, y)) continue;
                sum += static_cast<double>(light_of_grey(image.pixel(x, y)[1]));
                ++count;
            }
        return sum / count;
    }

    static Picture picture_of(const Mesh& mesh) {
        Picture picture;
        picture.camera = measuring_camera(kSide, 225);
        picture.meshes = {{&mesh}};
        light_evenly(picture);
        picture.settings.samples = 16;
        return picture;
    }
};

TEST_F(soft_light, of_hair_matches_the_path_tracer) {
    const Mesh mesh = ball(0.08f, {0.5f, 0.5f, 0.5f});
    for (const float colour : first_if_quick<float>({0.1f, 0.02f, 0.4f})) {
        const StrandSet strands = shaggy_coat({colour, colour, colour});
        Picture picture = picture_of(mesh);
        picture.strands = view_of(strands);
        EXPECT_NEAR(drawn_light(picture) / traced_light(picture), 1, 0.15) << colour;
        picture.light.colour = {0, 0, 0};  // of the light from below
        EXPECT_NEAR(drawn_light(picture) / traced_light(picture), 1, 0.15) << colour << ", above";
    }
}

TEST_F(soft_light, of_a_lamp_in_hair_matches_the_path_tracer) {
    const Mesh mesh = ball(0.08f, {0.5f, 0.5f, 0.5f});
    struct Case {
        float colour;
        double bound;
    };
    // 1.005, 0.95 and 0.80: bright hair scatters too little.
    for (const auto& [colour, bound] :
         first_if_quick<Case>({{0.02f, 0.05}, {0.1f, 0.1}, {0.4f, 0.22}})) {
        const StrandSet strands = shaggy_coat({colour, colour, colour});
        Picture picture = picture_of(mesh);
        picture.strands = view_of(strands);
        light_by_lamp(picture, {0.3f, 0.4f, 1}, 5);
        picture.light.key = 4;  // brighter than the steps of 8 bits
        EXPECT_NEAR(drawn_light(picture) / traced_light(picture), 1, bound) << colour;
    }
}

TEST_F(soft_light, of_skin_matches_the_path_tracer) {
    const Mesh mesh = ball(0.08f, {0.5f, 0.5f, 0.5f});
    Picture picture = picture_of(mesh);
    EXPECT_NEAR(drawn_light(picture) / traced_light(picture), 1, 0.05);
    picture.light.colour = {0, 0, 0};
    EXPECT_NEAR(drawn_light(picture) / traced_light(picture), 1, 0.05);
}

}  // namespace
}  // namespace ringlet
