// How much of the hair region of a picture lets the background through, and where: along the
// outline, at tips, at roots (parting, hairline) or within the lengths.
#include <cstdio>

#include "picture_fixture.h"
#include "ringlet/ringlet.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "test_level.h"

namespace ringlet {
namespace {

constexpr int kWidth = 720;    // pixels; by hand also twice as many
constexpr int kHair = 26;      // byte of coverage: from 10 % on, a pixel belongs to the hair region
constexpr int kHalf = 128;     // from 50 % on, it belongs to the silhouette
constexpr int kDense = 230;    // from 90 % on, a pixel is covered
constexpr float kEnd = 0.02f;  // m of hair that belongs to a tip or to a root
constexpr int kOutline = 2;    // pixels: the width of a soft edge
constexpr int kInside = 8;     // pixels from the outline

// The matte of a picture: red is the coverage, green that of hair within kEnd of its tip, and blue
// that of hair within kEnd of its root.
Channel<3> matte_colours(const Channel<3>& rest) {
    Channel<3> out(rest.layout_ref());
    for (int s = 0; s < rest.layout().strand_count(); ++s) {
        const int count = rest.layout().vertex_count(s);
        std::vector<float> distance(static_cast<std::size_t>(count), 0.0f);
        for (int i = 1; i < count; ++i)
            distance[static_cast<std::size_t>(i)] = distance[static_cast<std::size_t>(i - 1)] +
                                                    norm(rest.vec3(s, i) - rest.vec3(s, i - 1));
        for (int i = 0; i < count; ++i) {
            const float from_root = distance[static_cast<std::size_t>(i)];
            out.set_vec3(s, i,
                         {1, distance.back() - from_root < kEnd ? 1.0f : 0.0f,
                          from_root < kEnd ? 1.0f : 0.0f});
        }
    }
    return out;
}

// The distance in pixels, at most `most`, of each pixel from the nearest one outside the hair
// region, as the larger of the horizontal and the vertical one.
std::vector<int> distance_from_outline(const Image& matte, int most) {
    const auto at = [&](int x, int y) { return static_cast<std::size_t>(y * matte.width + x); };
    std::vector<int> out(at(0, matte.height), most);
    for (int y = 0; y < matte.height; ++y)
        for (int x = 0; x < matte.width; ++x) {
            if (matte.pixel(x, y)[0] >= kHair) continue;
            for (int j = std::max(y - most, 0); j <= std::min(y + most, matte.height - 1); ++j)
                for (int i = std::max(x - most, 0); i <= std::min(x + most, matte.width - 1); ++i)
                    out[at(i, j)] =
                        std::min(out[at(i, j)], std::max(std::abs(i - x), std::abs(j - y)));
        }
    return out;
}

// Shares of the hair region whose coverage is below 90 %.
struct Thin {
    double all = 0;
    // `all` is the sum of these four. A pixel belongs to the first that applies: `outline` is
    // within kOutline of a pixel without hair; tips or roots are at least a quarter of the hair
    // that a pixel of `tips` or `roots` shows.
    double outline = 0, tips = 0, roots = 0, lengths = 0;
    // The share of the pixels farther than kInside from the outline.
    double inside = 0;
    // The share of the silhouette, which leaves out single hairs around the style.
    double half_covered = 0;
};

// The largest shares of a preset that pass.
struct Limit {
    const char* preset;
    double inside, tips, half_covered;
};

Thin measure_thin(const Image& matte) {
    const std::vector<int> distance = distance_from_outline(matte, kInside + 1);
    Thin out;
    double hair = 0, inside = 0, half = 0;
    for (int y = 0; y < matte.height; ++y)
        for (int x = 0; x < matte.width; ++x) {
            const std::uint8_t* p = matte.pixel(x, y);
            const int from_outline = distance[static_cast<std::size_t>(y * matte.width + x)];
            if (p[0] < kHair) continue;
            hair += 1;
            inside += from_outline > kInside;
            half += p[0] >= kHalf;
            if (p[0] >= kDense) continue;
            out.all += 1;
            out.inside += from_outline > kInside;
            out.half_covered += p[0] >= kHalf;
            (from_outline <= kOutline ? out.outline
             : 4 * p[1] >= p[0]       ? out.tips
             : 4 * p[2] >= p[0]       ? out.roots
                                      : out.lengths) += 1;
        }
    for (double* share : {&out.all, &out.outline, &out.tips, &out.roots, &out.lengths})
        *share /= hair;
    out.inside /= inside;
    out.half_covered /= half;
    return out;
}

class hair_cover : public PictureTest, public testing::WithParamInterface<Limit> {
protected:
    Thin measure(Session& session, int width, int height) {
        Picture picture = picture_of(session);
        const Channel<3> colours =
            matte_colours(session.impl().actors.front().groom.rest(session.impl().pool));
        picture.strands.colour = &colours;
        picture.strands.has_same_appearance = false;
        picture.settings.flat = true;
        picture.settings.lod = 0;
        return measure_thin(draw(picture, width, height));
    }
};

TEST_P(hair_cover, is_dense_inside_the_outline) {
    RINGLET_TEST_FROM(full);
    Result<Session> session = Session::open(
        GetParam().preset,
        {.overrides = {"groom.guides=64", "record.settle=0", "groom.grow_patches=false"}});
    ASSERT_TRUE(session) << session.error().text();
    session->impl().advance_to(0);
    for (const int width :
         is_run_by_hand() ? std::vector{kWidth, 2 * kWidth} : std::vector{kWidth}) {
        const int height = width * 9 / 8;
        const Thin thin = measure(*session, width, height);
        std::printf("| `%s` | %d x %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n",
                    GetParam().preset, width, height, 100 * thin.all, 100 * thin.outline,
                    100 * thin.tips, 100 * thin.roots, 100 * thin.lengths, 100 * thin.inside,
                    100 * thin.half_covered);
        if (width > kWidth) break;
        EXPECT_LT(thin.inside, GetParam().inside);
        EXPECT_LT(thin.tips, GetParam().tips);
        EXPECT_LT(thin.half_covered, GetParam().half_covered);
    }
}

INSTANTIATE_TEST_SUITE_P(of, hair_cover,
                         testing::Values(Limit{"straight", 0.025, 0.035, 0.092},
                                         Limit{"bob", 0.03, 0.04, 0.096}),
                         [](const auto& limit) { return limit.param.preset; });

}  // namespace
}  // namespace ringlet
