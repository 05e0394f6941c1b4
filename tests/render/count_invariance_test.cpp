// A hairstyle looks the same whatever the number of strands drawn (render.strands): the drawn ones
// are widened, so that coverage, silhouette and colour stay the same.
#include <array>
#include <cstdio>
#include <set>

#include "picture_fixture.h"
#include "ringlet/ringlet.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "test_level.h"

namespace ringlet {
namespace {

constexpr int kWidth = 240, kHeight = 270;
constexpr int kStrands = 100'000;
constexpr double kTolerance = 0.05;
// 100,000 coiled strands have too many vertices for compute shaders: they are drawn as ribbons,
// which changes their colour by up to 0.06 (docs/rendering.md).
constexpr double kCoilTolerance = 0.07;

double linear(std::uint8_t byte) { return std::pow(byte / 255.0, 2.2); }

struct Appearance {
    Image lit, matte;
    double coverage = 0;    // pixels
    double silhouette = 0;  // pixels that hair covers by more than half
};

// The relative changes from one picture to another.
struct Change {
    double coverage, silhouette;
    std::array<double, 3> channels;  // of the mean colour, linear RGB
    // The distance between the mean colours over the length of the first. A single channel says
    // less: the blue of brown hair is small, and mostly highlight.
    double colour;

    double largest() const { return std::max({std::abs(coverage), std::abs(silhouette), colour}); }
};

// Compares colours where hair covers the pixel in both pictures: elsewhere the backdrop, which is
// many times as bright as dark hair, would count for more than the hair.
Change change_between(const Appearance& from, const Appearance& to) {
    constexpr int kCovered = 250;
    std::array<double, 3> before{}, after{};
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            if (from.matte.pixel(x, y)[1] < kCovered || to.matte.pixel(x, y)[1] < kCovered)
                continue;
            for (std::size_t k = 0; k < 3; ++k) {
                before[k] += linear(from.lit.pixel(x, y)[k]);
                after[k] += linear(to.lit.pixel(x, y)[k]);
            }
        }
    Change out{to.coverage / from.coverage - 1, to.silhouette / from.silhouette - 1, {}, 0};
    double distance = 0, length = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        out.channels[k] = after[k] / before[k] - 1;
        distance += (after[k] - before[k]) * (after[k] - before[k]);
        length += before[k] * before[k];
    }
    out.colour = std::sqrt(distance / length);
    return out;
}

class count_invariance : public PictureTest, public testing::WithParamInterface<std::string> {
protected:
    Appearance measure(Session& session, float strands) {
        Appearance out;
        Picture picture = picture_of(session);
        picture.settings.strands = strands;
        picture.settings.lod = 0;
        out.lit = draw(picture, kWidth, kHeight);
        // White strands over black meshes and backdrop: the picture shows the coverage.
        Channel<3> white(session.impl().layout());
        for (int s = 0; s < white.layout().strand_count(); ++s)
            for (int i = 0; i < white.layout().vertex_count(s); ++i)
                white.set_vec3(s, i, {1, 1, 1});
        picture.strands.colour = &white;
        picture.strands.has_same_appearance = false;
        picture.settings.flat = true;
        out.matte = draw(picture, kWidth, kHeight);
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x) {
                out.coverage += out.matte.pixel(x, y)[1] / 255.0;
                out.silhouette += out.matte.pixel(x, y)[1] >= 128 ? 1 : 0;
            }
        return out;
    }
};

TEST_P(count_invariance, of_coverage_silhouette_and_colour) {
    if (GetParam() == "bob") {
        RINGLET_TEST_FROM(full);
    } else {
        RINGLET_TEST_FROM(all);
    }
    // Growing and drawing the hair of all presets takes minutes.
    const bool is_whole =
        is_run_by_hand() ||
        std::set<std::string>{"bob", "straight", "coils", "crew"}.contains(GetParam());
    const int strands = is_whole ? kStrands : kStrands * 2 / 5;
    Result<Session> session = Session::open(
        GetParam(),
        {.overrides = {"groom.strands=" + std::to_string(strands), "groom.guides=64",
                       "render.hair_width=1", "record.settle=0", "groom.grow_patches=false"}});
    ASSERT_TRUE(session) << session.error().text();
    session->impl().advance_to(0);
    const Appearance all = measure(*session, 0);
    ASSERT_GT(all.silhouette, 1000);
    for (const float drawn :
         is_whole ? std::vector{30'000.0f, 10'000.0f} : std::vector{10'000.0f}) {
        const Change change = change_between(all, measure(*session, drawn));
        EXPECT_LT(change.largest(), GetParam() == "coils" ? kCoilTolerance : kTolerance) << drawn;
        std::printf("| `%s` | %.0f | %+.1f %% | %+.1f %% | %.1f %% | %+.1f, %+.1f, %+.1f %% |\n",
                    GetParam().c_str(), static_cast<double>(drawn), 100 * change.coverage,
                    100 * change.silhouette, 100 * change.colour, 100 * change.channels[0],
                    100 * change.channels[1], 100 * change.channels[2]);
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
