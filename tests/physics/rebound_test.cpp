// Restitution in every model: the rebound speed is the restitution times the approach speed.
#include "physics/every_model.h"

namespace ringlet {
namespace {

using namespace lab;

World ground(float restitution, float friction = 0) {
    World out;
    out.colliders.push_back(
        {.shape = ColliderShape::plane, .friction = friction, .restitution = restitution});
    return out;
}

TEST_P(EveryModel, restitution_scales_the_rebound_speed_of_a_vertex) {
    for (const float restitution : {0.0f, 0.4f, 0.8f, 1.0f}) {
        Simulation simulation(strands_of({{{0, 0.05f, 0}}}), settings(), ground(restitution), 1);
        simulation.state().v.set_vec3(0, 0, {1, -2, 0});
        run(simulation, 0.2);
        const Vec3f v = simulation.state().v.vec3(0, 0);
        EXPECT_NEAR(v.y, 2 * restitution, 0.002) << restitution;
        EXPECT_NEAR(v.x, 1, 1e-5) << "along the ground nothing changes";
    }
}

TEST_P(EveryModel, rebound_height_scales_with_restitution_squared) {
    SimSettings falling = settings();
    falling.gravity = {0, -9.81f, 0};
    falling.collision_radius = 0;
    falling.dt = 1.0f / 480;
    const auto line = straight_line({0, 0.3f, 0}, {1, 0, 0}, 0.1f, 8);
    Simulation simulation(strands_of({line}), falling, ground(0.7f), 1);
    double top = 0;
    while (simulation.time() < 0.8) {
        simulation.step(pool());
        const double y = static_cast<double>(simulation.state().x.vec3(0, 4).y);
        if (simulation.time() > std::sqrt(2 * 0.3 / 9.81) + 0.01) top = std::max(top, y);
    }
    EXPECT_NEAR(top, 0.49 * 0.3, 0.05 * 0.49 * 0.3);
}

TEST_P(EveryModel, strand_rests_on_ground_with_restitution) {
    for (const int substeps : {1, 4}) {
        SimSettings falling = settings();
        falling.gravity = {0, -9.81f, 0};
        falling.damping = 1;
        falling.substeps = substeps;
        const auto line = straight_line({0, 0.001f, 0}, {1, 0, 0}, 0.1f, 8);
        Simulation simulation(strands_of({line}), falling, ground(0.9f, 0.3f), 1);
        run(simulation, 1);
        const Vec3f before = simulation.state().x.vec3(0, 4);
        for (int k = 0; k < 60; ++k) {
            simulation.step(pool());
            EXPECT_LT(norm(simulation.state().x.vec3(0, 4) - before), 1e-4f) << substeps;
        }
    }
}

// The rebound from a moving body is relative to the body.
TEST_P(EveryModel, rebound_is_relative_to_a_moving_body) {
    World world = ground(0.5f);
    world.head.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {0, 1, 0}, {0, 0, 0}}};
    SimSettings fine = settings();
    fine.dt = 1.0f / 480;
    Simulation simulation(strands_of({{{0, 0.5f, 0}}}), fine, world, 1);
    double body_speed = 0;
    Rigidf before = simulation.head_pose();
    while (simulation.time() < 1 && norm(simulation.state().v.vec3(0, 0)) == 0) {
        before = simulation.head_pose();
        simulation.step(pool());
        body_speed =
            static_cast<double>(simulation.head_pose().translation.y - before.translation.y) * 480;
    }
    EXPECT_GT(body_speed, 1) << "the body is fastest half way between smooth keys";
    EXPECT_NEAR(simulation.state().v.vec3(0, 0).y, 1.5 * body_speed, 0.02 * body_speed);
}

}  // namespace
}  // namespace ringlet
