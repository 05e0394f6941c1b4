// Roots on a deforming mesh, in every model.
#include "physics/every_model.h"

namespace ringlet {
namespace {

using namespace lab;

// A square of two triangles that is stretched to twice its width, lifted and rotated by 90 degrees
// about y within four frames of one second.
std::shared_ptr<MeshSequence> turning_square() {
    auto out = std::make_shared<MeshSequence>();
    out->indices = {0, 1, 2, 0, 2, 3};
    out->rest = {{-0.1f, 0, 0.1f}, {0.1f, 0, 0.1f}, {0.1f, 0, -0.1f}, {-0.1f, 0, -0.1f}};
    out->fps = 4;
    for (int frame = 0; frame <= 4; ++frame) {
        const float t = static_cast<float>(frame) / 4;
        const SinCos<float> turn = sin_cos(t * kPi / 2);
        std::vector<Vec3f> positions;
        for (const Vec3f& p : out->rest) {
            const Vec3f wide{p.x * (1 + t), p.y + 0.2f * t, p.z};
            positions.push_back({turn.cos * wide.x + turn.sin * wide.z, wide.y,
                                 turn.cos * wide.z - turn.sin * wide.x});
        }
        out->frames.push_back(positions);
    }
    return out;
}

TEST(mesh_sequence, interpolates_linearly_between_frames_and_stays_at_the_last) {
    const auto square = turning_square();
    std::vector<Vec3f> now;
    square->positions_at(-1, now);
    EXPECT_EQ(now[0].x, square->frames[0][0].x);
    square->positions_at(0.375, now);
    EXPECT_NEAR(now[1].x, 0.5f * (square->frames[1][1].x + square->frames[2][1].x), 1e-6f);
    square->positions_at(100, now);
    EXPECT_EQ(now[2].z, square->frames[4][2].z);
    square->loops = true;
    square->positions_at(1.25, now);  // five frames at 4 per second: the first frame again
    EXPECT_NEAR(now[2].z, square->frames[0][2].z, 1e-6f);
}

TEST(root_binding, roots_move_and_rotate_with_their_triangle) {
    const auto square = turning_square();
    const std::vector<Vec3f> roots{{0.05f, 0, 0.02f}, {-0.07f, 0, -0.03f}};
    const RootBinding root_binding(*square, roots);
    const std::vector<Rigidf> motions = root_binding.motions_at(1, pool());
    for (std::size_t k = 0; k < roots.size(); ++k) {
        const Vec3f at = apply(motions[k], roots[k]);
        // Twice as far out in x, then a quarter turn about y: x becomes -z, z becomes x.
        EXPECT_NEAR(at.x, roots[k].z, 1e-5f);
        EXPECT_NEAR(at.y, 0.2f, 1e-5f);
        EXPECT_NEAR(at.z, -2 * roots[k].x, 1e-5f);
        EXPECT_LT(norm(rotate(motions[k].rotation, Vec3f{0, 1, 0}) - Vec3f{0, 1, 0}), 1e-4f);
    }
}

TEST_P(EveryModel, roots_stay_on_the_skin_and_strands_follow_it) {
    SimSettings settings;
    settings.model = GetParam();
    settings.gravity = {0, 0, 0};
    settings.damping = 5;
    World world;
    world.shapes = turning_square();
    std::vector<std::vector<Vec3f>> lines;
    for (const Vec3f root : {Vec3f{0.05f, 0, 0.02f}, Vec3f{-0.07f, 0, -0.03f}, Vec3f{0, 0, 0.09f}})
        lines.push_back(straight_line(root, unit_or(Vec3f{1, 1, 0}, {0, 1, 0}), 0.1f, 17));
    Simulation simulation(strands_of(lines), settings, world, 1);
    float fastest = 0;
    for (int k = 0; k < 60; ++k) {
        std::vector<Vec3f> before = unpack(simulation.state().x);
        simulation.step(pool());
        const std::vector<Vec3f> now = unpack(simulation.state().x);
        for (std::size_t s = 0; s < lines.size(); ++s)
            fastest = std::max(fastest, norm(now[s * 17] - before[s * 17]) * 60);
    }
    EXPECT_LT(fastest, 0.6f) << "no root pops from frame to frame";
    run(simulation, 3);
    for (int s = 0; s < 3; ++s) {
        const Vec3f root = lines[static_cast<std::size_t>(s)][0];
        EXPECT_LT(norm(simulation.state().x.vec3(s, 0) - Vec3f{root.z, 0.2f, -2 * root.x}), 1e-5f);
        // The rotation of the skin takes (1, 1, 0) to (0, 1, -1).
        const Vec3f leaves = simulation.state().x.vec3(s, 1) - simulation.state().x.vec3(s, 0);
        const Vec3f wanted = unit_or(Vec3f{0, 1, -1}, {0, 1, 0});
        EXPECT_GT(dot(unit_or(leaves, {0, 0, 0}), wanted), 0.98f) << s;
    }
}

}  // namespace
}  // namespace ringlet
