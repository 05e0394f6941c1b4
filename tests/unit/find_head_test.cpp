// Finding a head in a mesh of unknown unit and orientation, and its landmarks.
#include "fit/find_head.h"

#include <gtest/gtest.h>

#include "fit/landmarks.h"
#include "session/assets/scene_source.h"

namespace ringlet {
namespace {

const Mesh& bust() {
    static const Mesh mesh = [] {
        const Result<Mesh> read = load_mesh({}, "groom.mesh", "builtin:bust.obj");
        return read ? *read : Mesh{};
    }();
    return mesh;
}

TEST(typical_head, is_the_outline_of_the_bust) {
    const std::vector<Vec3f> points = sample_surface(bust(), 200'000);
    const RadialMap map = radial_map(points, {{0, 1, 0}, {0, 0, 1}, {0, 0.385f, 0}, 0.23f});
    EXPECT_LT(difference(map, typical_head()), 0.01f);
    EXPECT_LT(asymmetry(map), 0.01f);
    for (std::size_t e = 3; e < RadialMap::kElevations; ++e)
        for (std::size_t a = 0; a < RadialMap::kAzimuths; ++a)
            EXPECT_NEAR(map.radius[e][a], typical_head().radius[e][a], 0.01f) << e << " " << a;
}

TEST(landmarks, of_the_bust_are_where_they_were_modelled) {
    const Landmarks marks = find_landmarks(bust());
    EXPECT_TRUE(marks.is_head);
    EXPECT_NEAR(marks.crown.y, 0.500f, 0.004f);
    EXPECT_NEAR(marks.chin.y, 0.270f, 0.006f);
    EXPECT_NEAR(marks.head_height, 0.23f, 0.008f);
    EXPECT_NEAR(marks.centre.x, 0, 0.002f);
    EXPECT_NEAR(marks.head_width, 0.152f, 0.006f);
    EXPECT_NEAR(marks.forehead.z, 0.09f, 0.006f);
    EXPECT_TRUE(marks.chin.measured);
    EXPECT_TRUE(marks.neck.measured);
    EXPECT_TRUE(marks.shoulder.measured);
    EXPECT_NEAR(marks.shoulder.y, 0.175f, 0.02f);
    EXPECT_LT(marks.nape.z, 0);
    // The bust ends at y = 0, about where the chest is; the waist would be below.
    EXPECT_NEAR(marks.chest.y, 0, 0.02f);
    EXPECT_FALSE(marks.waist.measured);
    EXPECT_LT(marks.waist.y, 0);
}

TEST(landmarks, of_a_box_come_from_its_bounds) {
    Mesh box;
    for (int k = 0; k < 8; ++k)
        box.positions.push_back({k & 1 ? 1.0f : 0.0f, k & 2 ? 3.0f : 0.0f, k & 4 ? 1.0f : 0.0f});
    box.normals.assign(8, {0, 1, 0});
    box.indices = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                   2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    const Landmarks marks = find_landmarks(box);
    EXPECT_FALSE(marks.is_head);
    EXPECT_NEAR(marks.crown.y, 3, 0.01f);
    EXPECT_NEAR(marks.head_height, 1, 0.01f);
}

}  // namespace
}  // namespace ringlet
