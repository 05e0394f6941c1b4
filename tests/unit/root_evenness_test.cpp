// Roots are more even than random points: on triangles of very different size, patches of equal
// area have nearly equal numbers of roots.
#include <gtest/gtest.h>

#include <cmath>

#include "groom/roots.h"
#include "math/noise.h"

namespace ringlet {
namespace {

// The unit square divided into strips of halving width, two triangles each: areas differ by a
// factor of 500.
Mesh uneven_square() {
    Mesh mesh;
    float left = 0;
    for (int k = 0; k < 10; ++k) {
        const float right = k == 9 ? 1.0f : left + (1 - left) / 2;
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (const Vec3f p :
             {Vec3f{left, 0, 0}, Vec3f{left, 0, 1}, Vec3f{right, 0, 1}, Vec3f{right, 0, 0}}) {
            mesh.positions.push_back(p);
            mesh.normals.push_back({0, 1, 0});
            mesh.uvs.push_back({p.x, p.z});
        }
        for (const std::uint32_t corner : {0u, 1u, 2u, 0u, 2u, 3u})
            mesh.indices.push_back(first + corner);
        mesh.triangle_material.insert(mesh.triangle_material.end(), 2, -1);
        mesh.triangle_group.insert(mesh.triangle_group.end(), 2, -1);
        left = right;
    }
    return mesh;
}

// Variance over mean of the counts in 16 x 16 equal patches: 1 for random points.
template <class Point>
double unevenness(int count, const Point& point) {
    std::vector<double> patches(256, 0);
    for (int k = 0; k < count; ++k) {
        const Vec2f p = point(k);
        const auto cell = [](float a) { return std::min(static_cast<int>(a * 16), 15); };
        ++patches[static_cast<std::size_t>(cell(p.x) * 16 + cell(p.y))];
    }
    const double mean = count / 256.0;
    double variance = 0;
    for (const double n : patches) variance += (n - mean) * (n - mean) / 256;
    return variance / mean;
}

TEST(scatter_roots, are_at_least_twice_as_even_as_random_points) {
    const int count = 8192;
    const Result<std::vector<Root>> roots = scatter_roots(uneven_square(), {.scalp = ""}, count);
    ASSERT_TRUE(roots);
    const double ours = unevenness(count, [&](int k) {
        const Root& root = (*roots)[static_cast<std::size_t>(k)];
        return Vec2f{root.position.x, root.position.z};
    });
    const double chance = unevenness(count, [](int k) {
        const auto id = static_cast<std::uint32_t>(k);
        return Vec2f{counter_uniform(1, id, 0), counter_uniform(1, id, 1)};
    });
    EXPECT_NEAR(chance, 1, 0.25);
    EXPECT_LT(ours * 2, chance);
    RecordProperty("unevenness", std::to_string(ours));
}

}  // namespace
}  // namespace ringlet
