// Shared by the render tests: a renderer on the machine's OpenGL, small subjects, and a camera with
// a known number of pixels per metre.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "math/noise.h"
#include "picture/studio.h"
#include "render_gl/offscreen.h"
#include "render_gl/renderer.h"

namespace ringlet {

struct TestStrand {
    std::vector<Vec3f> vertices;
    float radius;
    Vec3f colour{1, 1, 1};
};

inline StrandSet strand_set(const std::vector<TestStrand>& strands) {
    std::vector<int> counts;
    for (const TestStrand& strand : strands)
        counts.push_back(static_cast<int>(strand.vertices.size()));
    StrandSet set{StrandLayout(counts)};
    for (int s = 0; s < set.strand_count(); ++s)
        for (int i = 0; i < counts[static_cast<std::size_t>(s)]; ++i) {
            const TestStrand& strand = strands[static_cast<std::size_t>(s)];
            set.position.set_vec3(s, i, strand.vertices[static_cast<std::size_t>(i)]);
            set.colour.set_vec3(s, i, strand.colour);
            set.radius.at(s, i) = strand.radius;
        }
    return set;
}

inline Mesh ball(float radius, Vec3f colour) {
    constexpr int kAround = 48, kRings = 24;
    Mesh mesh;
    mesh.materials.push_back({"ball", colour});
    for (int ring = 0; ring <= kRings; ++ring)
        for (int i = 0; i <= kAround; ++i) {
            const SinCos<float> height = sin_cos(kPi * (static_cast<float>(ring) / kRings - 0.5f));
            const SinCos<float> around = sin_cos(2 * kPi * static_cast<float>(i) / kAround);
            const Vec3f normal{around.sin * height.cos, height.sin, around.cos * height.cos};
            mesh.positions.push_back(normal * radius);
            mesh.normals.push_back(normal);
            mesh.uvs.push_back({0, 0});
        }
    for (std::uint32_t ring = 0; ring < kRings; ++ring)
        for (std::uint32_t i = 0; i < kAround; ++i) {
            const std::uint32_t a = ring * (kAround + 1) + i, b = a + kAround + 1;
            for (const std::uint32_t index : {a, a + 1, b + 1, a, b + 1, b})
                mesh.indices.push_back(index);
        }
    mesh.triangle_material.assign(mesh.indices.size() / 3, 0);
    mesh.triangle_group.assign(mesh.indices.size() / 3, -1);
    return mesh;
}

// Looks along -z at the plane z = 0, where a metre is `pixels_per_metre` pixels of an image of the
// given height.
inline Camera measuring_camera(int height, float pixels_per_metre) {
    Camera camera;
    camera.field_of_view_degrees = 10;
    const float half = std::tan(5 * kPi / 180);
    const float distance = static_cast<float>(height) / 2 / half / pixels_per_metre;
    camera.eye = {0, 0, distance};
    camera.target = {0, 0, 0};
    return camera;
}

// The same light of radiance 1 from all directions, and no lamps.
inline void light_evenly(Picture& picture) {
    picture.light.key = picture.light.rim = 0;
    // Undoes the tints of StudioLights.
    picture.settings.background = {0.72f, 0.72f, 0.72f};
    picture.light.colour = {1 / 0.52f, 1 / 0.46f, 1 / 0.42f};
    picture.light.fill = 1 / 0.72f;
    picture.settings.ground = false;
}

// A coat of strands of random directions on a ball of 8 cm, about six layers deep.
inline StrandSet shaggy_coat(Vec3f colour) {
    constexpr int kStrands = 10000, kVertices = 5;
    std::vector<TestStrand> strands;
    for (std::uint32_t s = 0; s < kStrands; ++s) {
        const auto number = [s](std::uint32_t k) { return counter_signed(7, s, k); };
        const auto direction = [&number](std::uint32_t k) {
            return unit_or(Vec3f{number(k), number(k + 1), number(k + 2)}, Vec3f{0, 1, 0});
        };
        const Vec3f root = direction(0), along = cross(root, direction(3));
        const float height = 0.081f + 0.02f * std::abs(number(6));
        TestStrand strand{{}, 0.0005f, colour};
        for (int i = 0; i < kVertices; ++i) {
            const float t = static_cast<float>(i) / (kVertices - 1) - 0.5f;
            strand.vertices.push_back(unit_or(root + along * t, root) * height);
        }
        strands.push_back(strand);
    }
    return strand_set(strands);
}

// The linear light of a grey pixel, by bisection of the tone curve.
inline float light_of_grey(int byte) {
    float low = 0, high = 8;
    for (int i = 0; i < 40; ++i) {
        const float x = (low + high) / 2;
        (tone_mapped({x, x, x}).y * 255 < static_cast<float>(byte) ? low : high) = x;
    }
    return low;
}

inline double mean_difference(const Image& a, const Image& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.rgba.size(); ++i) sum += std::abs(a.rgba[i] - b.rgba[i]);
    return sum / static_cast<double>(a.rgba.size());
}

inline int largest_difference(const Image& a, const Image& b) {
    int largest = 0;
    for (std::size_t i = 0; i < a.rgba.size(); ++i)
        largest = std::max(largest, std::abs(a.rgba[i] - b.rgba[i]));
    return largest;
}

// All tests of a suite share a context and a renderer, because compiling shaders takes longer than
// drawing.
class PictureTest : public testing::Test {
protected:
    static void SetUpTestSuite() {
        if (auto made = OffscreenContext::create())
            context_ = std::make_unique<OffscreenContext>(std::move(*made));
        else
            trouble_ = made.error().text();
        if (!context_) return;
        auto made = RendererGl::create();
        ASSERT_TRUE(made) << made.error().text();
        renderer_ = std::make_unique<RendererGl>(std::move(*made));
    }
    static void TearDownTestSuite() {
        renderer_.reset();
        context_.reset();
    }

    void SetUp() override {
        if (!context_) GTEST_SKIP() << trouble_;
    }
    void TearDown() override {
        if (!renderer_) return;
        for (const std::string& message : renderer_->messages()) ADD_FAILURE() << message;
    }

    Image draw(const Picture& picture, int width, int height) {
        auto image = renderer_->draw_to_image(picture, width, height);
        EXPECT_TRUE(image) << image.error().text();
        return image ? std::move(*image) : Image{};
    }

    inline static std::unique_ptr<OffscreenContext> context_;
    inline static std::unique_ptr<RendererGl> renderer_;
    inline static std::string trouble_;
};

// The modes that draw strands with exact coverage and pass the same tests.
class BlendedModes : public PictureTest, public testing::WithParamInterface<StrandMode> {};

inline std::string mode_name(const testing::TestParamInfo<StrandMode>& info) {
    return std::string(word_of(info.param));
}

}  // namespace ringlet
