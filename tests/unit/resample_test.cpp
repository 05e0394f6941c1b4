#include "strand/resample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ringlet {
namespace {

StrandSet strand_through(const std::vector<Vec3f>& points) {
    StrandSet out{StrandLayout(std::vector<int>{static_cast<int>(points.size())})};
    for (int i = 0; i < static_cast<int>(points.size()); ++i)
        out.position.set_vec3(0, i, points[static_cast<std::size_t>(i)]);
    return out;
}

bool same(Vec3f a, Vec3f b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

TEST(resample, puts_vertices_at_equal_distances) {
    // 1 m down, then 3 m sideways, with very uneven vertices.
    const StrandSet bent =
        strand_through({{0, 0, 0}, {0, -0.9f, 0}, {0, -1, 0}, {0.25f, -1, 0}, {3, -1, 0}});
    const StrandSet out = resample(bent, 9);
    ASSERT_EQ(out.layout->vertex_count(0), 9);
    for (int i = 0; i < 9; ++i) {
        const float along = 0.5f * static_cast<float>(i);
        EXPECT_NEAR(out.position.at(0, i, 0), along < 1 ? 0 : along - 1, 1e-6f) << i;
        EXPECT_NEAR(out.position.at(0, i, 1), along < 1 ? -along : -1, 1e-6f) << i;
    }
}

TEST(resample, keeps_the_bits_of_root_and_tip) {
    std::mt19937 random(5);
    const auto value = [&] { return static_cast<float>(random()) * 0x1p-31f - 1; };
    std::vector<Vec3f> points;
    for (int i = 0; i < 7; ++i) points.push_back({value(), value(), value() * 1e-39f});
    const StrandSet strand = strand_through(points);
    for (const int count : {2, 3, 7, 100}) {
        const StrandSet out = resample(strand, count);
        ASSERT_EQ(out.layout->vertex_count(0), count);
        EXPECT_TRUE(same(out.position.vec3(0, 0), points.front())) << count;
        EXPECT_TRUE(same(out.position.vec3(0, count - 1), points.back())) << count;
    }
}

TEST(resample, interpolates_colour_and_radius_by_length) {
    StrandSet strand = strand_through({{0, 0, 0}, {1, 0, 0}, {4, 0, 0}});
    for (int i = 0; i < 3; ++i) {
        strand.radius.at(0, i) = static_cast<float>(2 - i);
        strand.colour.set_vec3(0, i, {static_cast<float>(i), 1, static_cast<float>(-i)});
    }
    const StrandSet out = resample(strand, 5);
    EXPECT_FLOAT_EQ(out.radius.at(0, 1), 1);
    EXPECT_FLOAT_EQ(out.radius.at(0, 2), 2.0f / 3);
    EXPECT_FLOAT_EQ(out.colour.at(0, 2, 0), 4.0f / 3);
    EXPECT_FLOAT_EQ(out.colour.at(0, 2, 1), 1);
    EXPECT_FLOAT_EQ(out.colour.at(0, 2, 2), -4.0f / 3);
    EXPECT_EQ(out.radius.at(0, 0), 2);
    EXPECT_EQ(out.radius.at(0, 4), 0);
}

TEST(resample, does_not_change_a_strand_of_one_vertex) {
    StrandSet strands{StrandLayout(std::vector<int>{1, 4})};
    strands.position.set_vec3(0, 0, {1, 2, 3});
    strands.radius.at(0, 0) = 0.5f;
    strands.position.set_vec3(1, 3, {0, 3, 0});
    strands.root_uv = {{0.25f, 0.5f}, {0.75f, 1}};
    const StrandSet out = resample(strands, 8);
    ASSERT_EQ(out.strand_count(), 2);
    EXPECT_EQ(out.layout->vertex_count(0), 1);
    EXPECT_EQ(out.layout->vertex_count(1), 8);
    EXPECT_TRUE(same(out.position.vec3(0, 0), {1, 2, 3}));
    EXPECT_EQ(out.radius.at(0, 0), 0.5f);
    ASSERT_EQ(out.root_uv.size(), 2u);
    EXPECT_EQ(out.root_uv[1].x, 0.75f);
    EXPECT_EQ(resample(StrandSet{}, 8).strand_count(), 0);
}

TEST(resample, resamples_a_strand_without_length_by_vertex_index) {
    StrandSet strand = strand_through({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}});
    for (int i = 0; i < 3; ++i) strand.radius.at(0, i) = static_cast<float>(i);
    const StrandSet out = resample(strand, 9);
    for (int i = 0; i < 9; ++i) {
        EXPECT_TRUE(same(out.position.vec3(0, i), {1, 2, 3})) << i;
        EXPECT_FLOAT_EQ(out.radius.at(0, i), 0.25f * static_cast<float>(i)) << i;
    }
}

TEST(resample, stays_finite_with_duplicate_points_and_huge_numbers) {
    const StrandSet doubled = strand_through(
        {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 0}});
    const StrandSet out = resample(doubled, 5);
    for (int i = 0; i < 5; ++i)
        EXPECT_FLOAT_EQ(out.position.at(0, i, 0), 0.5f * static_cast<float>(i)) << i;
    const StrandSet huge = resample(strand_through({{-3e38f, 0, 0}, {3e38f, 0, 0}}), 3);
    EXPECT_EQ(huge.position.at(0, 1, 0), 0);
    const StrandSet tiny = resample(strand_through({{0, 0, 0}, {1e-45f, 0, 0}}), 4);
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(std::isfinite(tiny.position.at(0, i, 0)));
}

}  // namespace
}  // namespace ringlet
