// The model ftl in contact: no penetration, Coulomb friction, no stretch.
#include <gtest/gtest.h>

#include "physics/ftl_lab.h"
#include "physics/incline.h"

namespace ringlet {
namespace {

using namespace lab;

TEST(ftl_contact, strand_sticks_below_and_slides_above_the_friction_angle) {
    SimSettings settings = ftl_settings();
    settings.damping = 0;
    settings.hold_roots = false;
    for (const float mu : {0.1f, 0.3f, 0.6f, 1.0f}) {
        EXPECT_LT(slide(settings, mu, 0.97), 1e-3) << mu;
        // g (sin a - mu cos a) t^2/2 with tan a = 1.03 mu
        const double m = static_cast<double>(mu), a = std::atan(1.03 * m);
        const double want = 0.5 * 9.81 * (std::sin(a) - m * std::cos(a));
        EXPECT_NEAR(slide(settings, mu, 1.03) / want, 1, 0.05) << mu;
    }
}

TEST(ftl_contact, strand_falling_on_a_sphere_stays_outside) {
    for (const bool holds : {false, true}) {
        SimSettings settings = ftl_settings();
        settings.hold_roots = holds;
        settings.ftl.sag_free = false;
        World world;
        world.colliders.push_back({.centre = {0, 0, 0}, .radius = 0.1f, .friction = 0.5f});
        Simulation simulation(
            strands_of({straight_line({-0.2f, 0.15f, 0.01f}, {1, 0, 0}, 0.4f, 60)}), settings,
            world, 1);
        double deepest = 0, stretch = 0;
        bool touched = false;
        for (int k = 0; k < 60; ++k) {
            simulation.step(pool());
            deepest = std::max(deepest, simulation.measure(pool()).max_penetration);
            stretch = std::max(stretch, stretch_beyond_rounding(simulation));
            for (int i = 0; i < 60; ++i)
                touched |=
                    norm(simulation.state().x.vec3(0, i)) < 0.1f + 2 * settings.collision_radius;
        }
        EXPECT_TRUE(touched);
        EXPECT_EQ(deepest, 0);
        EXPECT_LT(stretch, 1e-6);
    }
}

// A strand moves at up to 2.5 m/s over a fixed sphere; each vertex is pulled into it by the vertex
// before.
TEST(ftl_contact, strand_dragged_over_a_sphere_stays_outside) {
    SimSettings settings = ftl_settings();
    settings.collision_radius = 0;
    World world;
    world.head.motion = MotionKind::shake;
    world.head.amplitude = 0.2f;
    world.head.frequency = 2;
    world.colliders.push_back({.centre = {0, -0.15f, 0}, .radius = 0.05f, .attached = false});
    Simulation simulation(strands_of({straight_line({-0.06f, 0, 0.01f}, {0, -1, 0}, 0.3f, 40),
                                      straight_line({0.06f, 0, 0.01f}, {0, -1, 0}, 0.3f, 40)}),
                          settings, world, 1);
    double deepest = 0, closest = 1;
    for (int k = 0; k < 180; ++k) {
        simulation.step(pool());
        deepest = std::max(deepest, simulation.measure(pool()).max_penetration);
        for (int i = 0; i < 40; ++i)
            closest =
                std::min(closest, norm(wide(simulation.state().x.vec3(0, i)) - Vec3d{0, -0.15, 0}));
    }
    EXPECT_LT(deepest, 1e-6);
    EXPECT_LT(closest, 0.051);  // it did touch
}

// A strand that starts inside leaves the body without gaining speed.
TEST(ftl_contact, strand_that_starts_inside_does_not_fly_out) {
    SimSettings settings = ftl_settings();
    settings.hold_roots = false;
    settings.gravity = {0, 0, 0};
    World world;
    world.colliders.push_back({.centre = {0, 0, 0}, .radius = 0.05f});
    Simulation simulation(strands_of({straight_line({0, 0.04f, 0}, {0, 0, 1}, 0.005f, 3)}),
                          settings, world, 1);
    run(simulation, 1);
    const float height = norm(simulation.state().x.vec3(0, 0));
    EXPECT_GT(height, 0.05f);
    EXPECT_LT(height, 0.5f);  // 11 mm in a substep would be 5 m/s
}

TEST(ftl_contact, strand_keeps_its_groomed_gap_up_to_keep_gap) {
    const auto height = [](float keep_gap) {
        SimSettings settings = ftl_settings();
        settings.hold_roots = false;
        settings.keep_gap = keep_gap;
        World world;
        world.colliders.push_back({.shape = ColliderShape::plane});
        Simulation simulation(strands_of({straight_line({0, 0.02f, 0}, {0, 0, 1}, 0.1f, 10)}),
                              settings, world, 1);
        run(simulation, 1);
        return simulation.state().x.vec3(0, 5).y;
    };
    EXPECT_NEAR(height(0), 0.001, 1e-4);     // sim.collision_radius
    EXPECT_NEAR(height(0.05f), 0.02, 1e-4);  // as groomed
}

TEST(ftl_contact, strand_moves_with_a_moving_body) {
    SimSettings settings = ftl_settings();
    settings.hold_roots = false;
    World world;
    world.head.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {2, {0.4f, 0, 0}, {0, 0, 0}}};
    world.colliders.push_back({.shape = ColliderShape::plane, .friction = 2});
    Simulation simulation(strands_of({straight_line({0, 0.001f, 0}, {0, 0, 1}, 0.1f, 10)}),
                          settings, world, 1);
    run(simulation, 2.5);
    EXPECT_NEAR(simulation.state().x.vec3(0, 5).x, 0.4, 0.01);
}

}  // namespace
}  // namespace ringlet
