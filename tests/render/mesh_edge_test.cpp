// Along the edge of a mesh, a pixel shows strands behind the mesh between the mesh and what lies
// behind the strands. Compared with images eight times as large, averaged in linear light.
#include <algorithm>

#include "picture_fixture.h"

namespace ringlet {
namespace {

constexpr int kSide = 96, kFactor = 8;
constexpr float kScale = 800, kRadius = 0.03f;  // pixels per metre at z = 0; m

double to_linear(std::uint8_t byte) {
    const double x = byte / 255.0;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

double to_srgb(double x) {
    return 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055);
}

// Upright strands, somewhat inclined, that fill the picture between two depths.
void hang_curtain(std::vector<TestStrand>& strands, int count, float radius, float from, float to,
                  float colour) {
    const auto seed = static_cast<std::uint32_t>(count);
    for (int s = 0; s < count; ++s) {
        const auto number = [s, seed](std::uint32_t channel) {
            return counter_uniform(seed, static_cast<std::uint32_t>(s), channel);
        };
        const Vec3f middle{0.18f * (number(0) - 0.5f), 0, from + (to - from) * number(1)};
        const Vec3f half{0.03f * (number(2) - 0.5f), 0.12f, 0};
        strands.push_back(
            {{middle - half, middle - half * 0.5f, middle, middle + half * 0.5f, middle + half},
             radius,
             {colour, colour, colour}});
    }
}

class mesh_edges : public BlendedModes {
protected:
    // A grey ball at the origin before a bright backdrop.
    Picture picture_of(const StrandSet& strands) {
        Picture picture;
        picture.camera = measuring_camera(kSide, kScale);
        picture.strands = view_of(strands);
        picture.meshes = {{&ball_}};
        light_evenly(picture);
        picture.light.fill *= 0.15f;
        picture.settings.shadows = false;
        picture.settings.mode = GetParam();
        return picture;
    }
    struct Quality {
        double decibels;  // of the pixels along the edge
        double brighter;  // bytes by which the worst of them exceeds all pixels around it
    };
    // The reference is drawn in the same mode: edges have an eighth of the pixels there.
    Quality compare(const Picture& picture) {
        const Image small = draw(picture, kSide, kSide);
        const Image large = draw(picture, kSide * kFactor, kSide * kFactor);
        const auto expected = [&large](int x, int y) {
            double sum = 0;
            for (int k = 0; k < kFactor * kFactor; ++k)
                sum +=
                    to_linear(large.pixel(x * kFactor + k % kFactor, y * kFactor + k / kFactor)[1]);
            return to_srgb(sum / (kFactor * kFactor));
        };
        double squares = 0, brighter = 0;
        int count = 0;
        for (int y = 1; y + 1 < kSide; ++y)
            for (int x = 1; x + 1 < kSide; ++x) {
                const float away = std::hypot(static_cast<float>(x) + 0.5f - 0.5f * kSide,
                                              static_cast<float>(y) + 0.5f - 0.5f * kSide);
                if (std::abs(away - kRadius * kScale) > 1.5f) continue;
                const double seen = small.pixel(x, y)[1], off = seen - expected(x, y);
                double brightest = 0;
                for (int k = 0; k < 9; ++k)
                    brightest = std::max(brightest, expected(x + k % 3 - 1, y + k / 3 - 1));
                squares += off * off;
                brighter = std::max(brighter, seen - brightest);
                ++count;
            }
        return {10 * std::log10(255 * 255 * count / squares), brighter};
    }
    Mesh ball_ = ball(kRadius, {0.25f, 0.25f, 0.25f});
};

TEST_P(mesh_edges, show_dark_hair_behind_them_and_no_backdrop) {
    std::vector<TestStrand> hair;
    hang_curtain(hair, 2000, 0.0004f, -0.09f, -0.05f, 0.01f);
    const StrandSet strands = strand_set(hair);
    const Quality quality = compare(picture_of(strands));
    EXPECT_GT(quality.decibels, 45);
    EXPECT_LT(quality.brighter, 6);
}

TEST_P(mesh_edges, have_strands_in_front_and_behind) {
    std::vector<TestStrand> hair;
    hang_curtain(hair, 2000, 0.0004f, -0.09f, -0.05f, 0.01f);
    hang_curtain(hair, 1500, 0.00004f, 0.05f, 0.07f, 0.1f);
    const StrandSet strands = strand_set(hair);
    const Quality quality = compare(picture_of(strands));
    EXPECT_GT(quality.decibels, 45);
    EXPECT_LT(quality.brighter, 4);
}

TEST_P(mesh_edges, show_thin_hair_before_another_mesh) {
    std::vector<TestStrand> hair;
    hang_curtain(hair, 3000, 0.00004f, -0.09f, -0.05f, 0.01f);
    const StrandSet strands = strand_set(hair);
    const Mesh wall = ball(0.2f, {0.9f, 0.9f, 0.9f});
    Picture picture = picture_of(strands);
    picture.meshes.push_back({&wall, {Quatf{0, 0, 0, 1}, {0, 0, -0.4f}}});
    const Quality quality = compare(picture);
    EXPECT_GT(quality.decibels, 42);
    EXPECT_LT(quality.brighter, 2.5);
}

INSTANTIATE_TEST_SUITE_P(modes, mesh_edges,
                         testing::Values(StrandMode::ribbons, StrandMode::compute,
                                         StrandMode::tessellation),
                         mode_name);

}  // namespace
}  // namespace ringlet
