// Closest points and nearest neighbours, compared with brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "box_mesh.h"
#include "geom/bvh.h"
#include "geom/closed_rims.h"
#include "geom/point_grid.h"
#include "sphere_mesh.h"

namespace ringlet {
namespace {

class Chance {
public:
    explicit Chance(unsigned seed) : random_(seed) {}
    float number(float low = -1, float high = 1) {
        return std::uniform_real_distribution<float>(low, high)(random_);
    }
    Vec3f point(float size = 1) {
        return {number(-size, size), number(-size, size), number(-size, size)};
    }

private:
    std::mt19937 random_;
};

struct Vec3d {
    double x, y, z;
};
Vec3d wide(Vec3f a) {
    return {static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)};
}
Vec3d minus(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec3d along(Vec3d a, Vec3d d, double t) { return {a.x + d.x * t, a.y + d.y * t, a.z + d.z * t}; }
double inner(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double length(Vec3d a) { return std::sqrt(inner(a, a)); }

double distance_to_segment(Vec3d p, Vec3d a, Vec3d b) {
    const Vec3d ab = minus(b, a);
    const double t = inner(minus(p, a), ab) / std::max(inner(ab, ab), 1e-300);
    return length(minus(p, along(a, ab, std::clamp(t, 0.0, 1.0))));
}

// Unsigned distance from a point to a triangle: to its plane if the projection lies inside,
// otherwise to the nearest edge.
double distance_to_triangle(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
    const Vec3d ab = minus(b, a), ac = minus(c, a), ap = minus(p, a);
    const double d00 = inner(ab, ab), d01 = inner(ab, ac), d11 = inner(ac, ac);
    const double d20 = inner(ap, ab), d21 = inner(ap, ac), det = d00 * d11 - d01 * d01;
    const double v = (d11 * d20 - d01 * d21) / det, w = (d00 * d21 - d01 * d20) / det;
    if (det > 0 && v >= 0 && w >= 0 && v + w <= 1)
        return length(minus(p, along(along(a, ab, v), ac, w)));
    return std::min(
        {distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a)});
}

double distance_to_all(const Mesh& mesh, Vec3f p) {
    double best = std::numeric_limits<double>::infinity();
    for (int t = 0; t < mesh.triangle_count(); ++t)
        best =
            std::min(best, distance_to_triangle(wide(p), wide(mesh.corner(t, 0)),
                                                wide(mesh.corner(t, 1)), wide(mesh.corner(t, 2))));
    return best;
}

void add_triangle(Mesh& mesh, Vec3f a, Vec3f b, Vec3f c) {
    for (const Vec3f& p : {a, b, c}) {
        mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
        mesh.positions.push_back(p);
        mesh.uvs.push_back({0, 0});
    }
    mesh.triangle_material.push_back(-1);
    mesh.triangle_group.push_back(-1);
}

Mesh triangle_soup(int count, unsigned seed) {
    Chance chance(seed);
    Mesh mesh;
    for (int t = 0; t < count; ++t) {
        const Vec3f at = chance.point();
        const float size = t % 10 == 0 ? 1.0f : 0.1f;
        add_triangle(mesh, at, at + chance.point(size), at + chance.point(size));
    }
    compute_smooth_normals(mesh);
    return mesh;
}

TEST(bvh, finds_the_closest_point_of_a_triangle_soup) {
    for (const int count : {1, 4, 5, 300}) {
        const Mesh mesh = triangle_soup(count, 1);
        const Bvh bvh(mesh);
        Chance chance(2);
        for (int k = 0; k < 700; ++k) {
            const Vec3f p = chance.point(k % 5 == 0 ? 4.0f : 1.2f);
            const ClosestPoint got = bvh.closest(p, 100);
            ASSERT_GE(got.triangle, 0);
            EXPECT_NEAR(std::abs(static_cast<double>(got.distance)), distance_to_all(mesh, p),
                        2e-6);
            // The returned point lies on the returned triangle at the returned distance.
            const int t = got.triangle;
            EXPECT_LT(distance_to_triangle(wide(got.point), wide(mesh.corner(t, 0)),
                                           wide(mesh.corner(t, 1)), wide(mesh.corner(t, 2))),
                      2e-6);
            EXPECT_NEAR(norm(p - got.point), std::abs(got.distance), 2e-6f);
        }
    }
}

TEST(bvh, returns_nothing_beyond_its_reach) {
    const Mesh mesh = triangle_soup(100, 3);
    const Bvh bvh(mesh);
    Chance chance(4);
    int near = 0;
    for (int k = 0; k < 500; ++k) {
        const Vec3f p = chance.point(1.5f);
        const double exact = distance_to_all(mesh, p);
        const float reach = chance.number(0.01f, 0.4f);
        if (std::abs(exact - static_cast<double>(reach)) < 1e-5) continue;
        const bool found = bvh.closest(p, reach).triangle >= 0;
        EXPECT_EQ(found, exact < static_cast<double>(reach));
        near += found;
    }
    EXPECT_GT(near, 100);
    EXPECT_LT(near, 400);
    EXPECT_TRUE(Bvh(Mesh{}).empty());
    EXPECT_EQ(Bvh(Mesh{}).closest({0, 0, 0}, 100).triangle, -1);
    EXPECT_EQ(Bvh().closest({0, 0, 0}, 100).triangle, -1);
}

TEST(bvh, is_negative_inside_and_positive_outside_a_sphere) {
    const Mesh mesh = sphere_mesh({0.1f, -0.2f, 0.3f}, 0.5f, 32);
    const Bvh bvh(mesh);
    Chance chance(5);
    for (int k = 0; k < 500; ++k) {
        const Vec3f away = chance.point(0.8f), p = Vec3f{0.1f, -0.2f, 0.3f} + away;
        const double exact = static_cast<double>(norm(away)) - 0.5;
        if (std::abs(exact) < 0.006) continue;  // between the facets and the sphere
        const ClosestPoint got = bvh.closest(p, 10);
        EXPECT_NEAR(static_cast<double>(got.distance), exact, 0.006);
        EXPECT_EQ(got.distance < 0, exact < 0);
        EXPECT_NEAR(std::abs(static_cast<double>(got.distance)), distance_to_all(mesh, p), 2e-6);
        EXPECT_GT(dot(got.normal, unit_or(got.point - Vec3f{0.1f, -0.2f, 0.3f}, away)), 0.99f);
    }
}

// The part of a sphere of radius 1 above the height `low`.
Mesh dome_mesh(float low) {
    Mesh mesh = sphere_mesh({0, 0, 0}, 1, 32);
    std::vector<std::uint32_t> kept;
    for (int t = 0; t < mesh.triangle_count(); ++t)
        if (min(mesh.corner(t, 0).y, min(mesh.corner(t, 1).y, mesh.corner(t, 2).y)) > low)
            for (std::size_t k = 0; k < 3; ++k)
                kept.push_back(mesh.indices[static_cast<std::size_t>(t) * 3 + k]);
    mesh.indices = std::move(kept);
    return mesh;
}

TEST(closed_rims, points_below_a_dome_are_outside) {
    const Mesh dome = dome_mesh(0.3f);
    const Mesh closed = with_closed_rims(dome);
    EXPECT_EQ(closed.triangle_count() - dome.triangle_count(), 64) << "segments around the rim";
    const Bvh bvh(closed);
    float rim = 1;
    for (const std::uint32_t v : dome.indices) rim = min(rim, dome.positions[v].y);
    Chance chance(6);
    for (int k = 0; k < 500; ++k) {
        const Vec3f p = chance.point(1.5f);
        const double above = static_cast<double>(p.y - rim);
        const double within = 1 - static_cast<double>(norm(p));
        if (std::abs(above) < 0.006 || std::abs(within) < 0.006) continue;  // facets
        EXPECT_EQ(bvh.closest(p, 10).distance<0, above> 0 && within > 0)
            << p.x << " " << p.y << " " << p.z;
    }
    EXPECT_LT(Bvh(dome).closest({0.9f, 0, 0}, 10).distance, 0) << "the open dome continues";
}

TEST(closed_rims, holes_of_one_triangle_are_filled) {
    Mesh mesh = sphere_mesh({0, 0, 0}, 1, 16);
    for (int t = 0; t < mesh.triangle_count(); t += 11)
        for (std::size_t k = 0; k < 3; ++k)
            mesh.indices[static_cast<std::size_t>(t) * 3 + k] =
                mesh.indices[static_cast<std::size_t>(t) * 3];
    const Bvh bvh(with_closed_rims(mesh));
    Chance chance(7);
    for (int k = 0; k < 500; ++k) {
        const Vec3f p = chance.point(1.2f);
        if (std::abs(norm(p) - 1) < 0.03f) continue;
        EXPECT_EQ(bvh.closest(p, 10).distance < 0, norm(p) < 1);
    }
}

TEST(closed_rims, closed_meshes_and_sheets_stay_as_they_are) {
    for (const Mesh& mesh : {sphere_mesh({0, 0, 0}, 1, 8), box_mesh({1, 2, 3}), sheet_mesh(1)}) {
        const Mesh closed = with_closed_rims(mesh);
        EXPECT_EQ(closed.indices, mesh.indices);
        ASSERT_EQ(closed.normals.size(), mesh.normals.size());
        for (std::size_t v = 0; v < mesh.normals.size(); ++v)
            EXPECT_EQ(norm(closed.normals[v] - mesh.normals[v]), 0) << v;
    }
    EXPECT_EQ(with_closed_rims(Mesh{}).triangle_count(), 0);
}

// Degenerate triangles and two regular ones.
Mesh mesh_with_degenerate_triangles() {
    Mesh mesh;
    add_triangle(mesh, {1, 0, 0}, {1, 1, 0}, {1, 0, 1});
    add_triangle(mesh, {0, 0, 0}, {0, 0, 0}, {0, 0, 0});
    add_triangle(mesh, {0, 0, 0}, {0.5f, 0, 0}, {0.25f, 0, 0});
    add_triangle(mesh, {0, 0, 0}, {0.3f, 0.3f, 0.3f}, {0, 0, 0});
    add_triangle(mesh, {1, 0, 0}, {1, 1, 1}, {1, 1, 0});
    return mesh;
}

TEST(bvh, ignores_degenerate_triangles) {
    Mesh mesh = mesh_with_degenerate_triangles();
    compute_smooth_normals(mesh);
    const Bvh bvh(mesh);
    const ClosestPoint got = bvh.closest({0.1f, 0.2f, 0.3f}, 10);
    EXPECT_TRUE(got.triangle == 0 || got.triangle == 4) << got.triangle;
    EXPECT_NEAR(std::abs(got.distance), 0.9f, 1e-6f);
    Mesh flat;
    add_triangle(flat, {0, 0, 0}, {1, 1, 1}, {2, 2, 2});
    compute_smooth_normals(flat);
    EXPECT_TRUE(Bvh(flat).empty());
}

TEST(bvh, handles_triangles_whose_area_underflows) {
    for (const float tiny : {1e-6f, 1e-8f, 1e-9f, 1e-10f, 1e-11f}) {
        Mesh mesh;
        add_triangle(mesh, {1, 0, 0}, {1, 1, 0}, {1, 0, 1});
        add_triangle(mesh, {0, 0, 0}, {tiny, 0, 0}, {0, tiny, 0});
        add_triangle(mesh, {2, 0, 0}, {2, 1, 0}, {2, 0, 1});
        compute_smooth_normals(mesh);
        // Above the middle of the tiny triangle, whose inside is closest.
        const ClosestPoint got = Bvh(mesh).closest({tiny / 4, tiny / 4, 0.9f}, 10);
        ASSERT_TRUE(std::isfinite(got.distance)) << tiny;
        EXPECT_LE(std::abs(got.distance), 1.0f) << tiny;
        EXPECT_NE(got.triangle, 2) << tiny;
    }
}

TEST(bvh, survives_points_that_are_not_finite) {
    const Bvh bvh(triangle_soup(50, 8));
    const float infinity = std::numeric_limits<float>::infinity();
    for (const Vec3f p : {Vec3f{NAN, 0, 0}, Vec3f{infinity, 0, 0}, Vec3f{3e38f, -3e38f, 0}})
        EXPECT_LT(bvh.closest(p, 1).triangle, 50);
}

int nearest_of_all(const std::vector<Vec3f>& points, Vec3f p) {
    int best = -1;
    float best_squared = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const float squared = dot(points[i] - p, points[i] - p);
        if (squared < best_squared) {
            best_squared = squared;
            best = static_cast<int>(i);
        }
    }
    return best;
}

void compare_with_all(const std::vector<Vec3f>& points, unsigned seed, int queries, float reach) {
    const PointGrid grid(points);
    Chance chance(seed);
    for (int k = 0; k < queries; ++k) {
        const Vec3f p = chance.point(reach);
        EXPECT_EQ(grid.nearest(p), nearest_of_all(points, p)) << p.x << " " << p.y << " " << p.z;
    }
}

std::vector<Vec3f> random_points(int count, float size, unsigned seed) {
    Chance chance(seed);
    std::vector<Vec3f> out;
    for (int i = 0; i < count; ++i) out.push_back(chance.point(size));
    return out;
}

TEST(point_grid, finds_the_nearest_of_scattered_points) {
    for (const int count : {1, 2, 10, 100, 1000})
        compare_with_all(random_points(count, 1, 1), 2, 200, 1.3f);
}

TEST(point_grid, finds_the_nearest_of_clustered_points) {
    std::vector<Vec3f> points = random_points(400, 0.01f, 3);
    for (const Vec3f& p : random_points(20, 1, 4)) points.push_back(p);
    compare_with_all(points, 5, 300, 1.1f);
    compare_with_all(points, 6, 300, 0.02f);
    for (Vec3f& p : points) p.y = 0.5f;  // all in one plane
    compare_with_all(points, 7, 200, 1);
    for (Vec3f& p : points) p.z = p.x;  // all on one line
    compare_with_all(points, 8, 200, 1);
}

TEST(point_grid, finds_the_nearest_from_far_away) {
    const std::vector<Vec3f> points = random_points(200, 1, 9);
    compare_with_all(points, 10, 100, 50);
    const PointGrid grid(points);
    EXPECT_EQ(grid.nearest({1e6f, 0, 0}), nearest_of_all(points, {1e6f, 0, 0}));
}

TEST(point_grid, finds_several_nearest_in_order) {
    const std::vector<Vec3f> points = random_points(300, 1, 11);
    const PointGrid grid(points);
    Chance chance(12);
    for (int k = 0; k < 200; ++k) {
        const Vec3f p = chance.point(1.5f);
        std::vector<int> expected(points.size());
        std::iota(expected.begin(), expected.end(), 0);
        const auto squared = [&](int i) {
            const Vec3f d = points[static_cast<std::size_t>(i)] - p;
            return dot(d, d);
        };
        std::stable_sort(expected.begin(), expected.end(),
                         [&](int a, int b) { return squared(a) < squared(b); });
        for (const std::size_t wanted : {std::size_t{1}, std::size_t{4}, std::size_t{17}}) {
            std::vector<int> got(wanted, -2);
            EXPECT_EQ(grid.nearest(p, got), static_cast<int>(wanted));
            EXPECT_TRUE(std::equal(got.begin(), got.end(), expected.begin())) << "query " << k;
        }
    }
    std::vector<int> more(400, -2);
    EXPECT_EQ(grid.nearest({0, 0, 0}, more), 300);
    EXPECT_EQ(more[300], -1);
}

TEST(point_grid, has_one_point_or_none) {
    const std::vector<Vec3f> one{{1, 2, 3}};
    EXPECT_EQ(PointGrid(one).nearest({100, -5, 0}), 0);
    EXPECT_EQ(PointGrid(one).nearest({1, 2, 3}), 0);
}

TEST(point_grid, without_points_finds_none) {
    EXPECT_EQ(PointGrid(std::vector<Vec3f>{}).nearest({0, 0, 0}), -1);
}

TEST(point_grid, takes_the_lowest_of_equals) {
    const std::vector<Vec3f> same(50, Vec3f{1, 1, 1});
    EXPECT_EQ(PointGrid(same).nearest({2, 2, 2}), 0);
    // A lattice in reverse order, queried at its corners, edge midpoints and cell centres.
    std::vector<Vec3f> lattice;
    for (int z = 6; z >= 0; --z)
        for (int y = 6; y >= 0; --y)
            for (int x = 6; x >= 0; --x)
                lattice.push_back(
                    {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
    const PointGrid grid(lattice);
    for (int z = -2; z <= 14; ++z)
        for (int y = -2; y <= 14; ++y)
            for (int x = -2; x <= 14; ++x) {
                const Vec3f p{static_cast<float>(x) / 2, static_cast<float>(y) / 2,
                              static_cast<float>(z) / 2};
                EXPECT_EQ(grid.nearest(p), nearest_of_all(lattice, p))
                    << p.x << " " << p.y << " " << p.z;
            }
}

TEST(mesh, smooth_normals_ignore_the_seams_of_a_box) {
    // Six faces of three sizes without shared vertices: 24 vertices, three at each corner.
    Mesh box;
    for (int axis = 0; axis < 3; ++axis)
        for (const float side : {-1.0f, 1.0f}) {
            const auto corner = [&](float u, float v) {
                const float c[3] = {side, side > 0 ? u : v, side > 0 ? v : u};
                return Vec3f{c[(3 - axis) % 3], 2 * c[(4 - axis) % 3], 3 * c[(5 - axis) % 3]};
            };
            const auto base = static_cast<std::uint32_t>(box.positions.size());
            for (const auto& [u, v] : {std::pair(-1.0f, -1.0f), std::pair(1.0f, -1.0f),
                                       std::pair(1.0f, 1.0f), std::pair(-1.0f, 1.0f)})
                box.positions.push_back(corner(u, v));
            for (const std::uint32_t k : {0u, 1u, 2u, 0u, 2u, 3u}) box.indices.push_back(base + k);
        }
    ASSERT_EQ(box.triangle_count(), 12);
    compute_smooth_normals(box);
    ASSERT_EQ(box.normals.size(), 24u);
    for (std::size_t i = 0; i < 24; ++i) {
        // The area-weighted sum over all triangles at this position.
        Vec3f sum{0, 0, 0};
        for (int t = 0; t < 12; ++t)
            for (int k = 0; k < 3; ++k)
                if (norm(box.corner(t, k) - box.positions[i]) == 0) sum += area_normal(box, t);
        const Vec3f expected = unit_or(sum, Vec3f{0, 0, 0});
        EXPECT_LT(norm(box.normals[i] - expected), 1e-6f);
        EXPECT_GT(dot(box.normals[i], box.positions[i]), 1) << "points out of the box";
        EXPECT_NEAR(norm(box.normals[i]), 1, 1e-6f);
    }
}

TEST(mesh, smooth_normals_join_both_zeros_and_default_at_unused_vertices) {
    Mesh mesh;
    add_triangle(mesh, {0.0f, 0, 0}, {1, 0, 0}, {0, 1, 0});
    add_triangle(mesh, {-0.0f, 0, -0.0f}, {0, 1, 0}, {0, 0, 1});
    mesh.positions.push_back({5, 5, 5});
    compute_smooth_normals(mesh);
    EXPECT_EQ(mesh.normals.size(), 7u);
    EXPECT_LT(norm(mesh.normals[0] - mesh.normals[3]), 1e-9f);
    EXPECT_EQ(mesh.normals[6].y, 1);
}

TEST(mesh, bounds_contain_every_corner) {
    const Mesh mesh = triangle_soup(30, 12);
    const Bounds bounds = bounds_of(mesh);
    bool low = false, high = false;
    for (const Vec3f& p : mesh.positions) {
        EXPECT_TRUE(p.x >= bounds.low.x && p.y >= bounds.low.y && p.z >= bounds.low.z);
        EXPECT_TRUE(p.x <= bounds.high.x && p.y <= bounds.high.y && p.z <= bounds.high.z);
        low = low || p.x == bounds.low.x;
        high = high || p.z == bounds.high.z;
    }
    EXPECT_TRUE(low && high);
    EXPECT_EQ(bounds_of(Mesh{}).high.x, 0);
}

}  // namespace
}  // namespace ringlet
