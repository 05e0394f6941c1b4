// Every kind of collider in collide/shapes.h: its physics and its drawing describe the same
// surface.
#include <gtest/gtest.h>

#include "collide/collider.h"
#include "geom/drawn_shape.h"

namespace ringlet {
namespace {

constexpr int shape_count() {
    int count = 0;
    while (!word_of(static_cast<ColliderShape>(count)).empty()) ++count;
    return count;
}

class ColliderShapes : public testing::TestWithParam<int> {
protected:
    static PlacedCollider placed() {
        const Collider collider{.shape = static_cast<ColliderShape>(GetParam()),
                                .centre = {0.1f, 0.2f, -0.1f},
                                .end = {0.3f, 0.1f, 0.2f},
                                .normal = {1, 2, 3},
                                .radius = 0.07f,
                                .radii = {0.05f, 0.1f, 0.2f},
                                .rotate_degrees = {10, 40, -70}};
        const Rigidf head{quat_from_axis_angle(Vec3f{0, 0, 1}, 0.7f), {0.02f, 0.3f, 0.1f}};
        return place(collider, head, head);
    }
};

TEST_P(ColliderShapes, drawn_vertices_lie_on_the_surface_with_its_normals) {
    const PlacedCollider body = placed();
    const DrawnShape drawn = drawn_shape(body, {});
    if (!drawn.add_triangles) {
        EXPECT_EQ(body.shape, ColliderShape::mesh);  // the session draws its mesh
        return;
    }
    Mesh mesh;
    mesh.materials.push_back({"clay", drawn.colour});
    drawn.add_triangles(drawn, mesh);
    ASSERT_GT(mesh.triangle_count(), 0);
    for (std::size_t k = 0; k < mesh.positions.size(); ++k) {
        const SurfacePoint<float> surface = nearest_surface(body, mesh.positions[k]);
        EXPECT_NEAR(surface.distance, 0, 2e-6) << "vertex " << k;
        EXPECT_GT(dot(surface.normal, mesh.normals[k]), 0.999f) << "vertex " << k;
    }
}

TEST_P(ColliderShapes, distance_grows_along_the_normal) {
    const PlacedCollider body = placed();
    const Vec3f p{0.6f, 0.5f, 0.4f};
    const SurfacePoint<float> at = nearest_surface(body, p);
    if (body.shape == ColliderShape::mesh) {
        EXPECT_GT(at.distance, 1e5f);  // a mesh collider without a mesh has no effect
        return;
    }
    EXPECT_NEAR(norm(at.normal), 1, 1e-5);
    EXPECT_NEAR(nearest_surface(body, p + at.normal * 0.1f).distance, at.distance + 0.1f, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(all, ColliderShapes, testing::Range(0, shape_count()),
                         [](const testing::TestParamInfo<int>& shape) {
                             return std::string(word_of(static_cast<ColliderShape>(shape.param)));
                         });

}  // namespace
}  // namespace ringlet
