// Shared by the render tests: a renderer on the machine's OpenGL, small subjects, and a camera with
// a known number of pixels per metre.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "math/noise.h"
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
