// Scenes with several heads: all of them are drawn, each lit as it would be alone.
#include <fstream>

#include "picture_fixture.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "test_level.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

constexpr int kWidth = 360, kHeight = 150;

class actors : public PictureTest {
protected:
    Image draw_heads(const std::string& heads, const std::string& strands = "500",
                     const std::string& camera =
                         "eye = [0, 0.4, 3]\ntarget = [0, 0.27, 0]\n"
                         "field_of_view = 14\n") {
        const TempFolder folder;
        const std::string path = (folder / "scene.toml").string();
        std::ofstream(path) << "base = 'curls'\n[groom]\nstrands = " << strands
                            << "\n[sim]\nsubsteps = 1\n[record]\nsettle = 0\n"
                               "[render]\nhair_width = 9\nbackground = [0.2, 0.3, 0.6]\n"
                               "[camera]\n"
                            << camera << heads;
        Result<Session> session = Session::open(path);
        EXPECT_TRUE(session) << session.error().text();
        if (!session) return Image{};
        session->impl().advance_to(0);
        return draw(picture_of(*session), kWidth, kHeight);
    }
};

// Skin and copper hair are redder than the blue backdrop.
bool is_head(const std::uint8_t* p) { return p[0] > p[2] + 30; }

int head_pixels(const Image& image, int left, int right) {
    int count = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = left; x < right; ++x)
            if (is_head(image.pixel(x, y))) ++count;
    return count;
}

// The mean difference of the green channel over pixels that show a head in both images.
double difference_on_heads(const Image& a, const Image& b, int left, int right) {
    double sum = 0;
    int count = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = left; x < right; ++x) {
            const std::uint8_t *p = a.pixel(x, y), *q = b.pixel(x, y);
            if (!is_head(p) || !is_head(q)) continue;
            sum += std::abs(p[1] - q[1]);
            ++count;
        }
    return sum / std::max(count, 1);
}

double mean_brightness(const Image& image, int left, int right) {
    double sum = 0;
    int count = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = left; x < right; ++x) {
            const std::uint8_t* p = image.pixel(x, y);
            if (!is_head(p)) continue;
            sum += p[0] + p[1] + p[2];
            ++count;
        }
    return sum / std::max(count, 1) / 3;
}

const std::string kLeft = "[[actor]]\nat = [-0.55, 0, 0]\n",
                  kRight = "[[actor]]\nat = [0.55, 0, 0]\n";

TEST_F(actors, are_all_drawn) {
    const Image both = draw_heads(kLeft + kRight), left = draw_heads(kLeft);
    EXPECT_GT(head_pixels(both, 0, kWidth / 3), 1500);
    EXPECT_GT(head_pixels(both, kWidth * 2 / 3, kWidth), 1500);
    EXPECT_EQ(head_pixels(both, kWidth * 7 / 16, kWidth * 9 / 16), 0);
    EXPECT_GT(head_pixels(left, 0, kWidth / 3), 1500);
    EXPECT_EQ(head_pixels(left, kWidth * 2 / 3, kWidth), 0);
}

// Twenty columns and five rows, half a metre apart. A cell of the image is 18 x 18 pixels.
TEST_F(actors, may_be_a_crowd_of_100) {
    RINGLET_TEST_FROM(all);
    constexpr int kColumns = 20, kRows = 5;
    std::string heads;
    for (int k = 0; k < kColumns * kRows; ++k)
        heads += "[[actor]]\nat = [" + std::to_string(0.5 * (k % kColumns - 9.5)) + ", " +
                 std::to_string(0.5 * (k / kColumns - 2)) + ", 0]\n";
    // The image is 10 m wide at the heads.
    const Image image = draw_heads(heads, "40",
                                   "eye = [0, 0.27, 40]\ntarget = [0, 0.27, 0]\n"
                                   "field_of_view = 5.9629\n");
    constexpr int kCell = kWidth / kColumns, kMargin = (kHeight - kRows * kCell) / 2;
    for (int k = 0; k < kColumns * kRows; ++k) {
        const int left = k % kColumns * kCell, top = kMargin + k / kColumns * kCell;
        int count = 0;
        for (int i = 0; i < kCell * kCell; ++i)
            if (is_head(image.pixel(left + i % kCell, top + i / kCell))) ++count;
        EXPECT_GT(count, 10) << k;
        EXPECT_LT(count, kCell * kCell / 2) << k;
    }
}

TEST_F(actors, are_no_darker_next_to_others) {
    RINGLET_TEST_FROM(full);
    const std::string far = "[[actor]]\nat = [1.6, 0, 0]\n[[actor]]\nat = [0.55, 0, -1.2]\n";
    const Image alone = draw_heads(kLeft), among = draw_heads(kLeft + kRight + far);
    const double bright = mean_brightness(alone, 35, 100);
    EXPECT_NEAR(mean_brightness(among, 35, 100), bright, 0.04 * bright);
    EXPECT_LT(difference_on_heads(alone, among, 35, 100), 2.5);
}

TEST_F(actors, cast_shadows_on_each_other) {
    RINGLET_TEST_FROM(full);
    // The light comes from the lower right, where the second head blocks it.
    const std::string light = "[light]\ndirection = [1, 0.25, 0.1]\n";
    const std::string near = "[[actor]]\nat = [-0.05, 0.11, 0.04]\n";
    const double lit = mean_brightness(draw_heads(light + kLeft), 60, 105);
    const double shaded = mean_brightness(draw_heads(light + kLeft + near), 60, 105);
    EXPECT_LT(shaded, 0.9 * lit);
}

}  // namespace
}  // namespace ringlet
