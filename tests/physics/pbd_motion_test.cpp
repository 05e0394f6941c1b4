// The second-order step of the model pbd (sim.pbd.integrator), compared with closed forms,
// invariants and backward Euler.
#include <gtest/gtest.h>

#include "base/hash.h"
#include "physics/incline.h"
#include "test_level.h"
#include "validate/lab.h"

namespace ringlet {
namespace {

using namespace lab;

SimSettings with_integrator(Integrator integrator, int substeps = 4) {
    SimSettings out = bare_settings();
    out.gravity = {0, -9.81f, 0};
    out.substeps = substeps;
    out.pbd.integrator = integrator;
    return out;
}

TEST(pbd_motion, free_fall_is_a_parabola) {
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0.6f, 0, 0.8f}, 0.3f, 20)}),
                          with_integrator(Integrator::second_order), {}, 1);
    run(simulation, 1);
    for (int i = 0; i < 20; ++i) {
        EXPECT_NEAR(simulation.state().v.vec3(0, i).y, -9.81, 1e-4);
        EXPECT_NEAR(simulation.state().x.vec3(0, i).y, -9.81 / 2, 1e-4);
    }
}

// The part of its energy that a pendulum of one segment loses in 5 s after its release at 90
// degrees.
double lost_energy(Integrator integrator) {
    SimSettings settings = with_integrator(integrator);
    settings.hold_roots = true;
    settings.clamp_root = false;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.3f, 2)}), settings, {},
                          1);
    run(simulation, 5);
    const double height = static_cast<double>(simulation.state().x.vec3(0, 1).y);
    return -(kinetic_energy(simulation.state()) + 9.81 * height) / (9.81 * 0.3);
}

TEST(pbd_motion, pendulum_keeps_its_energy) {
    EXPECT_NEAR(lost_energy(Integrator::second_order), 0, 0.002);
    EXPECT_GT(lost_energy(Integrator::backward_euler), 0.5);
}

TEST(pbd_motion, free_curl_keeps_its_angular_momentum) {
    SimSettings settings = with_integrator(Integrator::second_order);
    settings.gravity = {0, 0, 0};
    settings.pbd.pairs = {{PairReach::along, 2, 0, 0.8f}, {PairReach::along, 5, 0, 0.5f}};
    settings.pbd.bend_stiffness = 0.5f;
    Simulation simulation(strands_of({helix({0, 0, 0}, 0.01f, 0.04f, 0.2f, 33)}), settings, {}, 1);
    for (int i = 0; i < 33; ++i)
        simulation.state().v.set_vec3(
            0, i, cross(Vec3f{3, 0.5f, 6}, simulation.state().x.vec3(0, i) - Vec3f{0, -0.1f, 0}));
    run(simulation, 0.1);  // the curl adapts to the rotation
    const Vec3d before = angular_momentum(simulation.state());
    run(simulation, 0.5);
    EXPECT_LT(norm(angular_momentum(simulation.state()) - before), 0.01 * norm(before));
}

// The height of the tip of a strand that is clamped horizontally, at rest.
float sag(Integrator integrator, int substeps) {
    SimSettings settings = with_integrator(integrator, substeps);
    settings.hold_roots = true;
    settings.pbd.bend_stiffness = 0.8f;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.1f, 9)}), settings, {},
                          1);
    simulation.settle(8, pool());
    return simulation.state().x.vec3(0, 8).y;
}

TEST(pbd_motion, strand_sags_as_with_backward_euler) {
    const float expected = sag(Integrator::backward_euler, 16);
    EXPECT_NEAR(sag(Integrator::second_order, 4) / expected, 1, 0.01);
    EXPECT_NEAR(sag(Integrator::second_order, 8) / expected, 1, 0.01);
}

TEST(pbd_motion, odd_numbers_of_substeps_are_backward_euler) {
    const auto hash = [](Integrator integrator) {
        Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.1f, 9)}),
                              with_integrator(integrator, 3), {}, 1);
        run(simulation, 0.2);
        return hash_of(simulation.state().x, simulation.state().v).hex();
    };
    EXPECT_EQ(hash(Integrator::second_order), hash(Integrator::backward_euler));
}

// Extrapolation through an impact would throw the strand back at 1.4 times its speed.
TEST(pbd_motion, strand_that_falls_on_a_plane_stays_there) {
    for (const float height : {0.002f, 0.0375f, 0.2f, 0.5f}) {
        World world;
        world.colliders.push_back({.shape = ColliderShape::plane, .friction = 0.5f});
        Simulation simulation(strands_of({straight_line({0, height, 0}, {1, 0, 0}, 0.1f, 10)}),
                              with_integrator(Integrator::second_order), world, 1);
        run(simulation, std::sqrt(2 * static_cast<double>(height) / 9.81) + 1.0 / 30);
        for (int k = 0; k < 30; ++k) {
            simulation.step(pool());
            for (int i = 0; i < 10; ++i)
                EXPECT_NEAR(simulation.state().x.vec3(0, i).y, 0.001, 2e-4) << height << " " << k;
        }
    }
}

TEST(pbd_motion, strand_falling_on_a_sphere_stays_outside) {
    World world;
    world.colliders.push_back({.centre = {0, 0, 0}, .radius = 0.1f, .friction = 0.5f});
    Simulation simulation(strands_of({straight_line({-0.2f, 0.15f, 0.01f}, {1, 0, 0}, 0.4f, 60)}),
                          with_integrator(Integrator::second_order, 8), world, 1);
    for (int k = 0; k < 60; ++k) {
        simulation.step(pool());
        const Measurement now = simulation.measure(pool());
        EXPECT_LT(now.max_penetration, 1e-3);
        EXPECT_LT(now.max_stretch, 0.01);
    }
}

TEST(pbd_motion, strand_sticks_below_and_slides_above_the_friction_angle) {
    const SimSettings settings = with_integrator(Integrator::second_order, 8);
    for (const float mu : {0.1f, 0.3f, 0.6f, 1.0f}) {
        EXPECT_LT(slide(settings, mu, 0.97), 1e-3) << mu;
        EXPECT_GT(slide(settings, mu, 1.03), 1e-2) << mu;
    }
}

TEST(pbd_motion, strand_moves_with_a_moving_body) {
    World world;
    world.head.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {2, {0.4f, 0, 0}, {0, 0, 0}}};
    world.colliders.push_back({.shape = ColliderShape::plane, .friction = 2});
    Simulation simulation(strands_of({straight_line({0, 0.001f, 0}, {0, 0, 1}, 0.1f, 10)}),
                          with_integrator(Integrator::second_order), world, 1);
    run(simulation, 1);
    EXPECT_NEAR(simulation.state().x.vec3(0, 5).x, simulation.head_pose().translation.x, 0.005);
    EXPECT_NEAR(simulation.state().v.vec3(0, 5).x, 0.3, 0.05);  // eased: 1.5 times the mean at 1 s
}

TEST(pbd_motion, every_kind_of_lane_gives_the_same_bits) {
    for (const bool has_bodies : {false, true}) {
        SimSettings settings = with_integrator(Integrator::second_order);
        settings.hold_roots = true;
        settings.pbd.pairs = {{.span = 2, .rest = 0.9f}};
        settings.pbd.bend_stiffness = has_bodies ? 0.3f : 0.0f;
        World world;
        world.head.motion = MotionKind::shake;
        if (has_bodies)
            world.colliders = {{.centre = {0, -0.15f, 0.02f}, .radius = 0.05f},
                               {.shape = ColliderShape::plane, .centre = {0, -0.2f, 0}}};
        std::vector<std::vector<Vec3f>> lines;
        for (int k = 0; k < 19; ++k)
            lines.push_back(straight_line({0.01f * static_cast<float>(k) - 0.1f, 0, 0},
                                          {0.3f, -0.9f, 0.1f}, 0.25f, 12 + k % 3));
        const auto hash = [&](LaneKind lanes) {
            Simulation simulation(strands_of(lines), settings, world, 1, lanes);
            run(simulation, kSanitized ? 0.1 : 0.7);
            EXPECT_TRUE(all_finite(simulation.state()));
            return hash_of(simulation.state().x, simulation.state().v).hex();
        };
        const std::string scalar = hash(LaneKind::scalar);
        for (const LaneKind lanes : {LaneKind::automatic, LaneKind::avx2, LaneKind::wide8})
            EXPECT_EQ(hash(lanes), scalar) << has_bodies;
    }
}

}  // namespace
}  // namespace ringlet
