// The lobes of the real-time renderer are those of the fibre model, averaged over a fibre's width.
#include <gtest/gtest.h>

#include <cmath>

#include "math/elementary.h"
#include "shade/azimuth_table.h"

namespace ringlet {
namespace {

// The part that shaders include, compiled as C++.
namespace shared {

using std::abs;
using std::cos;
using std::exp;
using std::sin;
using std::sqrt;

#include "render_gl/shaders/fibre_lobes.glsl"

}  // namespace shared

TEST(fibre_lobes, spread_along_a_fibre_as_the_model_does) {
    for (const float roughness : {0.1f, 0.2f, 0.5f, 1.0f}) {
        const Fibre fibre = fibre_of(roughness);
        const FibreLobes variances = lobe_variances(fibre), tilts = lobe_tilts(fibre);
        for (const float in : {-1.3f, -0.5f, 0.0f, 0.4f, 1.2f})
            for (int k = 0; k < 40; ++k) {
                const float out = (static_cast<float>(k) + 0.5f) / 40 * kPi - kPi / 2;
                for (std::size_t p = 0; p < kFibreLobes; ++p) {
                    const float model = spread_along(in - tilts[p], out, variances[p]);
                    const float drawn =
                        shared::tilted_spread(std::sin(in), std::cos(in), std::sin(out),
                                              std::cos(out), tilts[p], variances[p]);
                    EXPECT_NEAR(drawn, model, 0.01f * model + 1e-3f)
                        << roughness << " " << in << " " << out << " " << p;
                }
            }
    }
}

// The entry of the table, by linear interpolation between the azimuths.
float tabulated(const AzimuthTable& table, int colour, int angle, std::size_t lobe, float azimuth) {
    constexpr int kLast = AzimuthTable::kAzimuths - 1;
    const float at = std::clamp(azimuth / kPi * AzimuthTable::kAzimuths - 0.5f, 0.0f,
                                static_cast<float>(kLast) - 1e-3f);
    const auto low = static_cast<std::size_t>(at);
    const auto row =
        static_cast<std::size_t>((colour * AzimuthTable::kAngles + angle) * (kLast + 1));
    return std::lerp(table.entries[row + low][lobe], table.entries[row + low + 1][lobe],
                     at - static_cast<float>(low));
}

TEST(fibre_lobes, spread_around_a_fibre_as_the_model_does) {
    const Fibre fibre = fibre_of(0.2f);
    const AzimuthTable table = azimuth_table(fibre);
    for (const int colour : {2, 10, 25})
        for (const int angle : {0, 6, 12})
            for (const float azimuth : {0.1f, 0.9f, 1.7f, 2.6f, 3.1f}) {
                const float root = (static_cast<float>(colour) + 0.5f) / AzimuthTable::kColours;
                const float absorption = absorption_of_colour(root * root, fibre.rough_around);
                const float theta =
                    (static_cast<float>(angle) + 0.5f) / AzimuthTable::kAngles * kPi / 2;
                constexpr int kSteps = 2000;
                FibreLobes model{};
                for (int i = 0; i < kSteps; ++i) {
                    const float h = (static_cast<float>(i) + 0.5f) / kSteps * 2 - 1;
                    const FibreLobes shares = lobe_shares(fibre, absorption, h, theta);
                    for (std::size_t p = 0; p < kFibreLobes; ++p)
                        model[p] += shares[p] / kSteps *
                                    spread_around(fibre, static_cast<int>(p), azimuth, h, theta);
                }
                for (std::size_t p = 0; p < kFibreLobes; ++p)
                    EXPECT_NEAR(tabulated(table, colour, angle, p, azimuth), model[p],
                                0.03f * model[p] + 1e-3f)
                        << colour << " " << angle << " " << azimuth << " " << p;
            }
}

}  // namespace
}  // namespace ringlet
