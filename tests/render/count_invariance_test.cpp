// A hairstyle looks the same whatever the number of strands drawn (render.strands): the drawn ones
// are widened, so that coverage, silhouette and colour stay the same.
#include <array>
#include <cstdio>

#include "picture_fixture.h"
#include "ringlet/ringlet.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "test_level.h"

namespace ringlet {
namespace {

constexpr int kWidth = 240, kHeight = 270;
constexpr int kStrands = 100'000;
constexpr double kCoverTolerance = 0.05;
// The colour of smooth hair changes by more than 0.05, which is open (docs/rendering.md).
constexpr double kColourTolerance = 0.15;

struct Appearance {
    double coverage = 0;             // pixels
    double silhouette = 0;           // pixels that hair covers by more than half
    std::array<double, 3> colour{};  // mean linear RGB of the pixels of the silhouette

    double change_of_cover_from(const Appearance& other) const {
        return std::max(std::abs(coverage / other.coverage - 1),
                        std::abs(silhouette / other.silhouette - 1));
    }
    double change_of_colour_from(const Appearance& other) const {
        double out = 0;
        for (std::size_t k = 0; k < 3; ++k)
            out = std::max(out, std::abs(colour[k] / other.colour[k] - 1));
        return out;
    }
};

double linear(std::uint8_t byte) { return std::pow(byte / 255.0, 2.2); }

class count_invariance : public PictureTest, public testing::WithParamInterface<std::string> {
protected:
    Appearance measure(Session& session, float strands) {
        Picture picture = picture_of(session);
        picture.settings.strands = strands;
        picture.settings.lod = 0;
        const Image lit = draw(picture, kWidth, kHeight);
        // White strands over black meshes and backdrop: the picture shows the coverage.
        Channel<3> white(session.impl().layout());
        for (int s = 0; s < white.layout().strand_count(); ++s)
            for (int i = 0; i < white.layout().vertex_count(s); ++i)
                white.set_vec3(s, i, {1, 1, 1});
        picture.strands.colour = &white;
        picture.strands.has_same_appearance = false;
        picture.settings.flat = true;
        const Image matte = draw(picture, kWidth, kHeight);
        Appearance out;
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x) {
                const std::uint8_t covered = matte.pixel(x, y)[1];
                out.coverage += covered / 255.0;
                if (covered < 128) continue;
                ++out.silhouette;
                for (std::size_t k = 0; k < 3; ++k) out.colour[k] += linear(lit.pixel(x, y)[k]);
            }
        for (double& channel : out.colour) channel /= std::max(out.silhouette, 1.0);
        return out;
    }
};

TEST_P(count_invariance, of_coverage_silhouette_and_colour) {
    if (GetParam() == "bob") {
        RINGLET_TEST_FROM(full);
    } else {
        RINGLET_TEST_FROM(all);
    }
    Result<Session> session = Session::open(
        GetParam(), {.overrides = {"groom.strands=" + std::to_string(kStrands), "groom.guides=64",
                                   "render.hair_width=1", "record.settle=0"}});
    ASSERT_TRUE(session) << session.error().text();
    session->impl().advance_to(0);
    const Appearance all = measure(*session, 0);
    ASSERT_GT(all.silhouette, 1000);
    for (const float drawn : {30'000.0f, 10'000.0f}) {
        const Appearance few = measure(*session, drawn);
        EXPECT_LT(few.change_of_cover_from(all), kCoverTolerance) << drawn;
        EXPECT_LT(few.change_of_colour_from(all), kColourTolerance) << drawn;
        std::printf(
            "| `%s` | %.0f | %+.1f %% | %+.1f %% | %+.1f, %+.1f, %+.1f %% |\n", GetParam().c_str(),
            static_cast<double>(drawn), 100 * (few.coverage / all.coverage - 1),
            100 * (few.silhouette / all.silhouette - 1), 100 * (few.colour[0] / all.colour[0] - 1),
            100 * (few.colour[1] / all.colour[1] - 1), 100 * (few.colour[2] / all.colour[2] - 1));
    }
}

// Fur is not drawn at true width, at which it does not cover the skin.
std::vector<std::string> presets_of_hair() {
    std::vector<std::string> out = preset_names();
    std::erase(out, "fur");
    return out;
}

INSTANTIATE_TEST_SUITE_P(every_preset, count_invariance, testing::ValuesIn(presets_of_hair()),
                         [](const auto& preset) { return preset.param; });

}  // namespace
}  // namespace ringlet
