// The curves that the path tracer makes of strands.
#include "render_rt/strand_curves.h"

#include "trace_fixture.h"

namespace ringlet {
namespace {

StrandCurves curves_of_vertices(const std::vector<Vec3f>& vertices) {
    const StrandSet strands = strand_set({{vertices, 1e-4f, {0.6f, 0.4f, 0.2f}}});
    return curves_of(view_of(strands), 1, nullptr,
                     [](std::span<const CurveVertex>) { return false; });
}

TEST(strand_curves, segments_of_a_straight_strand_stay_whole) {
    const StrandCurves curves =
        curves_of_vertices({{0, 0, 0}, {0, 0.01f, 0}, {0, 0.02f, 0}, {0, 0.03f, 0}});
    EXPECT_EQ(curves.flat_segments.size(), 3u);
    EXPECT_EQ(curves.vertices.size(), 6u);
}

TEST(strand_curves, segments_of_a_curl_are_divided_on_their_curve) {
    std::vector<Vec3f> curl;
    for (int i = 0; i < 9; ++i) {
        const float angle = 0.6f * static_cast<float>(i);
        curl.push_back(
            {0.01f * std::cos(angle), 0.002f * static_cast<float>(i), 0.01f * std::sin(angle)});
    }
    const StrandCurves curves = curves_of_vertices(curl);
    ASSERT_EQ(curves.flat_segments.size(), 16u);
    for (std::size_t i = 0; i < curl.size(); ++i)
        EXPECT_EQ(norm(curves.vertices[1 + 2 * i].position - curl[i]), 0) << i;
    for (std::size_t i = 1; i + 2 < curl.size(); ++i) {
        // The Catmull-Rom curve in the middle of a segment.
        const Vec3f middle =
            (curl[i] + curl[i + 1]) * 0.5625f - (curl[i - 1] + curl[i + 2]) * 0.0625f;
        EXPECT_LT(norm(curves.vertices[2 + 2 * i].position - middle), 1e-8f) << i;
        const CurvePoint point = curves.point(curves.flat_segments[2 * i], 1, 1);
        EXPECT_NEAR(dot(point.tangent, unit_or(curl[i + 1] - curl[i], {0, 1, 0})), 1, 1e-3f);
        EXPECT_FLOAT_EQ(point.colour.y, 0.4f);
        EXPECT_FLOAT_EQ(point.radius, 1e-4f);
    }
}

}  // namespace
}  // namespace ringlet
