// Meshes whose vertices the program sets: the head's surface and colliders.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ringlet/ringlet_c.h"
#include "sample_mesh.h"

namespace ringlet {
namespace {

class DeformingEveryModel : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(models, DeformingEveryModel, testing::Range(0, model_count()),
                         [](const auto& model) { return model_name(model.param); });

// The largest distance between equal vertices.
float difference(const HairSim& a, const HairSim& b) {
    float out = 0;
    for (int s = 0; s < a.strand_count(); ++s)
        for (int i = 0; i < a.positions()[s].count; ++i)
            out = std::max(out, distance(a.positions()[s][i], b.positions()[s][i]));
    return out;
}

// A mesh that moves rigidly is a head that moves rigidly. The vertices move on straight lines
// instead of arcs, by less than a micrometre.
TEST_P(DeformingEveryModel, a_rigid_motion_of_the_vertices_is_a_motion_of_the_head) {
    const SampleHair groom;
    const SampleMesh skin = SampleMesh::ring();
    SimSettings settings = sample_settings(GetParam());
    Result<HairSim> by_pose = HairSim::create(groom.arrays(), settings);
    Result<HairSim> by_vertices = HairSim::create(skin.under(groom), settings);
    ASSERT_TRUE(by_pose && by_vertices) << by_vertices.error().text();
    for (int frame = 1; frame <= 40; ++frame) {
        const float turn = 0.002f * static_cast<float>(frame);
        const Vec3f shift{2 * turn, turn, 0};
        const auto moved = skin.changed([&](Vec3f p) {
            const Vec3f q = rotate_about_y(p, turn);
            return Vec3f{q.x + shift.x, q.y + shift.y, q.z + shift.z};
        });
        ASSERT_TRUE(by_pose->set_head(pose_at(turn, shift)));
        ASSERT_TRUE(by_vertices->set_head_vertices(moved));
        ASSERT_TRUE(by_pose->step(1.0 / 60));
        ASSERT_TRUE(by_vertices->step(1.0 / 60));
    }
    EXPECT_LT(difference(*by_pose, *by_vertices), 1e-4f);
    const Vec3f start{groom.positions[0], groom.positions[1], groom.positions[2]};
    EXPECT_GT(distance(by_vertices->positions()[0][0], start), 0.1f) << "the head has moved";
}

TEST_P(DeformingEveryModel, a_stretched_surface_moves_roots_affinely) {
    const SampleHair groom;
    const SampleMesh skin = SampleMesh::sheet();
    Result<HairSim> hair = HairSim::create(skin.under(groom), sample_settings(GetParam()));
    ASSERT_TRUE(hair) << hair.error().text();
    const auto stretched = [](Vec3f p) { return Vec3f{1.5f * p.x + 0.2f * p.z, p.y, p.z}; };
    ASSERT_TRUE(hair->set_head_vertices(skin.changed(stretched)));
    ASSERT_TRUE(hair->step(1.0 / 60));
    std::size_t first = 0;
    for (int s = 0; s < hair->strand_count(); ++s) {
        const float* const root = groom.positions.data() + 3 * first;
        // The sheet is at y = 1, where the roots are.
        EXPECT_LT(distance(hair->positions()[s][0], stretched({root[0], root[1], root[2]})), 2e-6f);
        first += static_cast<std::size_t>(groom.counts[static_cast<std::size_t>(s)]);
    }
}

TEST(deforming, vertices_move_evenly_through_the_steps_of_a_frame) {
    const float xyz[] = {0, 1, 0, 0, 0.9f, 0};
    const int counts[] = {2};
    const SampleMesh skin = SampleMesh::sheet();
    Result<HairSim> hair = HairSim::create({xyz, counts, skin.arrays()}, {});
    ASSERT_TRUE(hair);
    const auto lifted = [&](float by) {
        return skin.changed([&](Vec3f p) { return Vec3f{p.x, p.y + by, p.z}; });
    };
    // A frame of one and a half steps: the step ends at two thirds of the motion.
    ASSERT_TRUE(hair->set_head_vertices(lifted(0.03f)));
    ASSERT_TRUE(hair->step(1.5 / 60));
    EXPECT_NEAR(hair->positions()[0][0].y, 1.02f, 1e-6f);
    ASSERT_TRUE(hair->set_head_vertices(lifted(0.06f)));
    ASSERT_TRUE(hair->step(1.5 / 60));
    EXPECT_NEAR(hair->positions()[0][0].y, 1.06f, 1e-6f);
}

// Hair on `skin` around a ball that may grow.
HairSim hair_over_ball(int model, const SampleMesh& skin, const SampleMesh& ball) {
    SimCollider body = ball.collider();
    body.cell = 0.01f;
    body.room = 0.1f;
    Result<HairSim> made =
        HairSim::create(skin.under(SampleHair()), sample_settings(model), {&body, 1});
    EXPECT_TRUE(made) << made.error().text();
    return std::move(*made);
}

std::vector<float> grown(const SampleMesh& ball, float by) {
    return ball.changed([&](Vec3f p) {
        const Vec3f c = SampleMesh::kBallCentre;
        return Vec3f{c.x + by * (p.x - c.x), c.y + by * (p.y - c.y), c.z + by * (p.z - c.z)};
    });
}

TEST_P(DeformingEveryModel, a_growing_collider_pushes_hair_out) {
    const SampleMesh ball = SampleMesh::ball();
    HairSim hair = hair_over_ball(GetParam(), SampleMesh::ring(), ball);
    for (int frame = 1; frame <= 60; ++frame) {
        const float by = std::min(2.3f, 1 + static_cast<float>(frame) / 30);
        ASSERT_TRUE(hair.set_collider_vertices(0, grown(ball, by)));
        ASSERT_TRUE(hair.step(1.0 / 60));
    }
    const float radius = 2.3f * SampleMesh::kBallRadius;
    float nearest = 1;
    for (int s = 0; s < hair.strand_count(); ++s)
        for (int i = 2; i < hair.positions()[s].count; ++i)
            nearest = std::min(nearest, distance(hair.positions()[s][i], SampleMesh::kBallCentre));
    // The triangles lie up to 2.5 mm inside the sphere.
    EXPECT_GT(nearest, radius - 0.004f);
    EXPECT_LT(nearest, radius + 0.004f) << "the hair touches the ball";
    EXPECT_LT(hair.report()->max_penetration, 0.001);
}

// Frames `from` to `to` of a skin that swells and a ball that grows.
void deform(HairSim& hair, const SampleMesh& skin, const SampleMesh& ball, int from, int to) {
    for (int frame = from; frame < to; ++frame) {
        const float by = 1 + 0.01f * static_cast<float>(frame);
        ASSERT_TRUE(hair.set_head(pose_at(0.1f * by, {0, 0, 0})));
        ASSERT_TRUE(hair.set_head_vertices(skin.changed([&](Vec3f p) {
            return Vec3f{by * p.x, p.y, by * p.z};
        })));
        ASSERT_TRUE(hair.set_collider_vertices(0, grown(ball, 1.5f + 3.4f * (by - 1))));
        ASSERT_TRUE(hair.step(1.3 / 60));
    }
}

TEST_P(DeformingEveryModel, a_loaded_state_of_deforming_meshes_continues_to_the_same_bits) {
    const SampleMesh skin = SampleMesh::ring(), ball = SampleMesh::ball();
    HairSim hair = hair_over_ball(GetParam(), skin, ball);
    deform(hair, skin, ball, 0, 12);
    const auto saved = hair.save();
    ASSERT_TRUE(saved) << saved.error().text();
    const double depth = hair.report()->max_penetration;
    deform(hair, skin, ball, 12, 24);
    const std::string expected = hash_of(hair);

    ASSERT_TRUE(hair.load(*saved));
    EXPECT_EQ(hair.report()->max_penetration, depth) << "the colliders are back, too";
    deform(hair, skin, ball, 12, 24);
    EXPECT_EQ(hash_of(hair), expected);

    HairSim other = hair_over_ball(GetParam(), skin, ball);
    ASSERT_TRUE(other.load(*saved));
    deform(other, skin, ball, 12, 24);
    EXPECT_EQ(hash_of(other), expected);
}

// A quarter turn by vertices and a jump of a metre, at once.
TEST_P(DeformingEveryModel, a_teleport_takes_the_vertices_along) {
    const SampleHair groom;
    const SampleMesh skin = SampleMesh::ring();
    Result<HairSim> hair = HairSim::create(skin.under(groom), sample_settings(GetParam()));
    ASSERT_TRUE(hair);
    for (int frame = 0; frame < 30; ++frame) ASSERT_TRUE(hair->step(1.0 / 60));
    const float before = fastest(*hair);
    const Vec3f root = hair->positions()[3][0], tip = hair->positions()[3][11];
    const float quarter = std::acos(0.0f);
    ASSERT_TRUE(
        hair->set_head_vertices(skin.changed([&](Vec3f p) { return rotate_about_y(p, quarter); })));
    ASSERT_TRUE(hair->teleport(pose_at(0, {0, 0, 1})));
    const auto expected = [&](Vec3f p) {
        const Vec3f q = rotate_about_y(p, quarter);
        return Vec3f{q.x, q.y, q.z + 1};
    };
    EXPECT_LT(distance(hair->positions()[3][0], expected(root)), 1e-5f);
    EXPECT_LT(distance(hair->positions()[3][11], expected(tip)), 1e-5f);
    for (int frame = 0; frame < 3; ++frame) ASSERT_TRUE(hair->step(1.0 / 60));
    EXPECT_LT(fastest(*hair), before + 0.2f);
}

TEST_P(DeformingEveryModel, reset_starts_on_the_present_surface) {
    const SampleHair groom;
    const SampleMesh skin = SampleMesh::ring();
    Result<HairSim> hair = HairSim::create(skin.under(groom), sample_settings(GetParam()));
    ASSERT_TRUE(hair);
    const auto raised = skin.changed([](Vec3f p) {
        return Vec3f{1.2f * p.x, p.y + 0.3f, 1.2f * p.z};
    });
    ASSERT_TRUE(hair->set_head_vertices(raised));
    ASSERT_TRUE(hair->reset());
    const Vec3f root = hair->positions()[0][0];
    EXPECT_NEAR(root.y, 1.3f, 0.01f);
    for (int frame = 0; frame < 3; ++frame) ASSERT_TRUE(hair->step(1.0 / 60));
    EXPECT_LT(distance(hair->positions()[0][0], root), 1e-5f);
    EXPECT_LT(fastest(*hair), 1.0f);
}

TEST(deforming, faulty_vertices_are_an_error_without_effect) {
    const SampleMesh skin = SampleMesh::ring(), ball = SampleMesh::ball();
    HairSim hair = hair_over_ball(0, skin, ball), same = hair_over_ball(0, skin, ball);
    std::vector<float> vertices = skin.positions;
    vertices.pop_back();
    Result<void> done = hair.set_head_vertices(vertices);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().text(), "head_mesh: " + std::to_string(vertices.size()) +
                                       " numbers, but its mesh needs " +
                                       std::to_string(vertices.size() + 1));
    vertices.push_back(std::numeric_limits<float>::quiet_NaN());
    done = hair.set_head_vertices(vertices);
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text().find("is not a coordinate"), std::string::npos);
    done = hair.set_collider_vertices(0, grown(ball, 9));
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text().find("raise SimCollider::room"), std::string::npos);
    EXPECT_FALSE(hair.set_collider_vertices(1, ball.positions));
    EXPECT_FALSE(hair.set_collider_vertices(0, {}));
    ASSERT_TRUE(hair.step(1.0 / 60) && same.step(1.0 / 60));
    EXPECT_EQ(hash_of(hair), hash_of(same));

    HairSim rigid = make_sample(0);
    EXPECT_FALSE(rigid.set_head_vertices({}));
    EXPECT_FALSE(rigid.set_collider_vertices(0, {}));
    SimCollider sphere;
    sphere.deforms = true;
    EXPECT_EQ(HairSim::create({}, {}, {&sphere, 1}).error().text(),
              "collider 0: only a mesh can deform");
    const std::uint32_t corners[] = {0, 1, 99999};
    SimMesh faulty{skin.positions, corners};
    EXPECT_NE(HairSim::create({{}, {}, faulty}, {}).error().text().find("head_mesh.triangles[2]"),
              std::string::npos);
}

TEST(deforming, the_c_interface_sets_vertices) {
    const SampleHair groom;
    const SampleMesh skin = SampleMesh::sheet(), ball = SampleMesh::ball();
    ringlet_options options = ringlet_options_default();
    options.head_mesh_positions = skin.positions.data();
    options.head_mesh_vertex_count = skin.positions.size() / 3;
    options.head_mesh_triangles = skin.triangles.data();
    options.head_mesh_triangle_count = skin.triangles.size() / 3;
    ringlet_collider body = ringlet_collider_default();
    body.shape = RINGLET_MESH;
    body.mesh_positions = ball.positions.data();
    body.mesh_vertex_count = ball.positions.size() / 3;
    body.mesh_triangles = ball.triangles.data();
    body.mesh_triangle_count = ball.triangles.size() / 3;
    body.cell = 0.02f;
    body.deforms = 1;
    ringlet_hair* const hair =
        ringlet_hair_create(groom.positions.data(), groom.counts.data(),
                            static_cast<int>(groom.counts.size()), nullptr, &body, 1, &options);
    ASSERT_NE(hair, nullptr) << ringlet_last_error();
    const auto raised = skin.changed([](Vec3f p) { return Vec3f{p.x, p.y + 0.05f, p.z}; });
    EXPECT_EQ(ringlet_hair_set_head_vertices(hair, raised.data(), raised.size() / 3), 0);
    EXPECT_EQ(ringlet_hair_set_collider_vertices(hair, 0, ball.positions.data(),
                                                 ball.positions.size() / 3),
              0);
    EXPECT_EQ(ringlet_hair_step(hair, 1.0 / 60, nullptr), 0) << ringlet_last_error();
    const ringlet_view view = ringlet_hair_positions(hair);
    EXPECT_NEAR(view.memory[view.offsets[0] + static_cast<std::size_t>(view.component_stride)],
                1.05f, 1e-5f);
    EXPECT_EQ(ringlet_hair_set_head_vertices(hair, raised.data(), 1), 1);
    EXPECT_EQ(ringlet_hair_set_collider_vertices(hair, 0, nullptr, 1), 1);
    ringlet_hair_destroy(hair);
}

}  // namespace
}  // namespace ringlet
