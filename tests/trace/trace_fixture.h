// Shared by the tests of the path tracer: pictures whose light is known.
#pragma once

#include <gtest/gtest.h>

#include "render/picture_fixture.h"
#include "render_rt/path_tracer.h"

namespace ringlet {

inline TracedImage traced(const Picture& picture, int width, int height, int threads = 0) {
    const Result<RayScene> scene = RayScene::build(picture, height);
    EXPECT_TRUE(scene) << scene.error().text();
    Result<TracedImage> image = trace(picture, *scene, width, height, TaskPool(threads));
    EXPECT_TRUE(image) << image.error().text();
    return std::move(*image);
}

// One white lamp of irradiance 1 from the given direction, and nothing else.
inline void light_by_lamp(Picture& picture, Vec3f direction, float size_degrees) {
    picture.light = {.direction = direction,
                     .colour = {1, 1, 1},
                     .key = 1,
                     .fill = 0,
                     .rim = 0,
                     .size = size_degrees};
    picture.settings.ground = false;
}

// A bundle of random strands in a ball of 1 cm around the origin.
inline StrandSet bundle(int count, float radius, Vec3f colour) {
    std::vector<TestStrand> strands;
    for (int i = 0; i < count; ++i) {
        TestStrand strand{{}, radius, colour};
        const auto id = static_cast<std::uint32_t>(i);
        const auto number = [&](std::uint32_t k) { return counter_signed(5, id, k) * 0.01f; };
        const Vec3f from{number(0), number(1), number(2)}, to{number(3), number(4), number(5)};
        const Vec3f bend{number(6) * 0.3f, number(7) * 0.3f, number(8) * 0.3f};
        for (int k = 0; k < 4; ++k) {
            const float t = static_cast<float>(k) / 3;
            strand.vertices.push_back(from * (1 - t) + to * t + bend * (t * (1 - t)));
        }
        strands.push_back(strand);
    }
    return strand_set(strands);
}

inline double mean_light(const TracedImage& image) {
    double sum = 0;
    for (const TracedPixel& pixel : image.pixels)
        sum += static_cast<double>(luminance(pixel.light));
    return sum / static_cast<double>(image.pixels.size());
}

inline double mean_alpha(const TracedImage& image) {
    double sum = 0;
    for (const TracedPixel& pixel : image.pixels) sum += static_cast<double>(pixel.alpha);
    return sum / static_cast<double>(image.pixels.size());
}

}  // namespace ringlet
