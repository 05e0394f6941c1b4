// Strands from arrays and settings alone, without a scene file.
#include <gtest/gtest.h>

#include <cmath>

#include "ringlet/grow.h"
#include "unit/sphere_mesh.h"

namespace ringlet {
namespace {

constexpr float kSphereRadius = 0.1f;

struct Ball {
    std::vector<float> positions;
    std::vector<std::uint32_t> triangles;

    Ball() {
        const Mesh mesh = sphere_mesh({0, 0, 0}, kSphereRadius, 24);
        for (const Vec3f& p : mesh.positions) positions.insert(positions.end(), {p.x, p.y, p.z});
        triangles = mesh.indices;
    }
    SimMesh arrays() const { return {positions, triangles}; }
};

TEST(grow_strands, covers_a_ball_with_strands_of_the_given_length) {
    const Ball ball;
    const GrowOptions options{.settings = {"groom.strands=200", "groom.length=0.1",
                                           "groom.length_variation=0", "groom.vertices=11",
                                           "groom.scalp=''"}};
    const Result<GroomArrays> grown = grow_strands(ball.arrays(), options);
    ASSERT_TRUE(grown) << grown.error().text();
    ASSERT_EQ(grown->vertex_counts, std::vector<int>(200, 11));
    ASSERT_EQ(grown->positions.size(), 3u * 11 * 200);
    EXPECT_EQ(grown->colours.size(), grown->positions.size());
    EXPECT_EQ(grown->widths.size(), 11u * 200);
    int below = 0;
    for (std::size_t s = 0; s < 200; ++s) {
        const float* const root = grown->positions.data() + 33 * s;
        EXPECT_NEAR(std::hypot(root[0], root[1], root[2]), kSphereRadius, 0.001f);
        below += root[1] < 0;
        float length = 0;
        for (std::size_t i = 0; i < 10; ++i) {
            const float* const at = root + 3 * i;
            length += std::hypot(at[3] - at[0], at[4] - at[1], at[5] - at[2]);
        }
        EXPECT_NEAR(length, 0.1f, 0.002f) << s;
        EXPECT_GT(grown->widths[11 * s], 1e-5f);
    }
    EXPECT_GT(below, 70) << "they grow on both halves";
    EXPECT_LT(below, 130);
    const Result<GroomArrays> again = grow_strands(ball.arrays(), options);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->positions, grown->positions);
    const StrandArrays strands{grown->positions, grown->vertex_counts};
    Result<HairSim> hair = HairSim::create(strands, scene_defaults());
    ASSERT_TRUE(hair) << hair.error().text();
    EXPECT_TRUE(hair->step(1.0 / 60));
}

TEST(grow_strands, faulty_settings_and_meshes_are_errors) {
    const Ball ball;
    const auto error_of = [](const Result<GroomArrays>& made) {
        return made ? std::string("no error") : made.error().text();
    };
    EXPECT_NE(error_of(grow_strands(ball.arrays(), {.settings = {"groom.strand=3"}}))
                  .find("groom.strand"),
              std::string::npos);
    EXPECT_EQ(error_of(grow_strands(ball.arrays(), {.settings = {"groom.mesh=a.obj"}})),
              "groom.mesh: the mesh is an argument of grow_strands()");
    EXPECT_NE(error_of(grow_strands({}, {.settings = {"groom.strands=3"}})).find("positions"),
              std::string::npos);
    const std::uint32_t corners[] = {0, 1, 999999};
    EXPECT_NE(error_of(grow_strands({ball.positions, corners}, {})).find("triangles[2]"),
              std::string::npos);
    EXPECT_NE(
        error_of(grow_strands(ball.arrays(), {.settings = {}, .threads = -1})).find("threads"),
        std::string::npos);
    Listener stops;
    stops.stop_requested = [] { return true; };
    EXPECT_FALSE(grow_strands(ball.arrays(), {.settings = {"groom.strands=100"}}, stops));
}

}  // namespace
}  // namespace ringlet
