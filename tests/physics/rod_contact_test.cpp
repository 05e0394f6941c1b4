// Contact and friction of the rod. Stick-slip is a check of src/validate.
#include <gtest/gtest.h>

#include "physics/rod_lab.h"
#include "test_level.h"

namespace ringlet {
namespace {

using namespace lab;

TEST(rod_contact, strand_falling_on_a_sphere_stays_outside) {
    SimSettings settings = rod_settings();
    settings.hold_roots = false;
    World world;
    world.colliders.push_back({.centre = {0, 0, 0}, .radius = 0.1f, .friction = 0.5f});
    Simulation simulation(strands_of({straight_line({-0.2f, 0.15f, 0.01f}, {1, 0, 0}, 0.4f, 60)}),
                          settings, world, 1);
    double deepest = 0, stretch = 0;
    bool touched = false;
    for (int k = 0; k < 60; ++k) {
        simulation.step(pool());
        const Measurement now = simulation.measure(pool());
        deepest = std::max(deepest, now.max_penetration);
        stretch = std::max(stretch, now.max_stretch);
        for (int i = 0; i < 60; ++i)
            touched |= norm(simulation.state().x.vec3(0, i)) < 0.1f + 2 * settings.collision_radius;
    }
    EXPECT_TRUE(touched);
    EXPECT_LT(deepest, 2e-3);
    EXPECT_LT(stretch, 0.005);
}

// The farthest (m) that a held tip gets from its place while a shaken arc of hair hits a ball.
double farthest_held_tip(Integrator integrator) {
    SimSettings settings = rod_settings();
    settings.hold_tips = true;
    settings.rod.integrator = integrator;
    World world;
    world.head.motion = MotionKind::shake;
    world.colliders.push_back({.centre = {0, -0.07f, 0}, .radius = 0.05f, .attached = false});
    std::vector<Vec3f> arc;
    for (int i = 0; i <= 40; ++i) {
        const SinCos<float> at = sin_cos(kPi * static_cast<float>(i) / 40);
        arc.push_back({-0.08f * at.cos, -0.13f * at.sin, 0});
    }
    Simulation simulation(strands_of({arc}), settings, world, 1);
    double out = 0;
    for (int k = 0; k < 120; ++k) {
        simulation.step(pool());
        const Vec3f held = apply(simulation.head_pose(), arc.back());
        out = std::max(out, norm(wide(simulation.state().x.vec3(0, 40)) - wide(held)));
    }
    return out;
}

// Held tips have a small inverse mass. 2.4 and 3.5 mm; with a limit of depth, 7.8 mm.
TEST(rod_contact, second_order_step_keeps_held_tips_as_well_as_backward_euler) {
    EXPECT_LT(farthest_held_tip(Integrator::second_order),
              1.2 * farthest_held_tip(Integrator::backward_euler));
}

// The distance that a strand across an incline slides in the second second, and its height above
// the plane at the end.
struct Slide {
    double along, height;
};
Slide slide_down(double angle, float friction, float static_friction = 0) {
    SimSettings settings = rod_settings();
    settings.hold_roots = false;
    const Vec3f normal{static_cast<float>(std::sin(angle)), static_cast<float>(std::cos(angle)), 0};
    const Vec3f down{normal.y, -normal.x, 0};
    World world;
    world.colliders.push_back({.shape = ColliderShape::plane,
                               .normal = normal,
                               .friction = friction,
                               .static_friction = static_friction,
                               .attached = false});
    Simulation simulation(
        strands_of({straight_line(normal * settings.collision_radius, {0, 0, 1}, 0.1f, 17)}),
        settings, world, 1);
    const auto middle = [&] { return simulation.state().x.vec3(0, 8); };
    run(simulation, 1);
    const float before = dot(middle(), down);
    run(simulation, 1);
    return {static_cast<double>(dot(middle(), down) - before),
            static_cast<double>(dot(middle(), normal))};
}

TEST(rod_contact, strand_on_an_incline_slips_at_the_angle_of_friction) {
    for (const float mu : {0.1f, 0.3f, 0.6f, 1.0f}) {
        SCOPED_TRACE(mu);
        const double slips_at = std::atan(static_cast<double>(mu));
        const Slide held = slide_down(0.99 * slips_at, mu);
        EXPECT_LT(std::abs(held.along), 1e-6);
        EXPECT_NEAR(held.height, 1e-3, 1e-5);
        // Above the friction angle it accelerates by gravity minus friction.
        const double angle = 1.05 * slips_at;
        const double pull = 9.81 * (std::sin(angle) - static_cast<double>(mu) * std::cos(angle));
        EXPECT_GT(slide_down(1.01 * slips_at, mu).along, 1e-3);
        EXPECT_NEAR(slide_down(angle, mu).along / (1.5 * pull), 1, 0.02);
    }
}

TEST(rod_contact, static_friction_holds_where_kinetic_friction_would_not) {
    EXPECT_LT(std::abs(slide_down(std::atan(0.4), 0.2f, 0.5f).along), 1e-6);
    EXPECT_GT(slide_down(std::atan(0.4), 0.2f).along, 1);
}

TEST(rod_contact, draped_strand_rests_without_jitter) {
    SimSettings settings = rod_settings();
    settings.hold_roots = false;
    settings.damping = 1;
    World world;
    world.colliders.push_back({.radius = 0.08f, .friction = 0.5f});
    Simulation simulation(strands_of({straight_line({-0.15f, 0.09f, 0.001f}, {1, 0, 0}, 0.3f, 33)}),
                          settings, world, 1);
    run(simulation, 24);  // the ends swing for a while, because only air damps them
    const std::vector<Vec3f> before = unpack(simulation.state().x);
    double moved = 0, lowest = 1;
    for (int k = 0; k < 600; ++k) {
        simulation.step(pool());
        for (int i = 0; i < 33; ++i) {
            const Vec3f x = simulation.state().x.vec3(0, i);
            moved =
                std::max(moved, static_cast<double>(norm(x - before[static_cast<std::size_t>(i)])));
            lowest = std::min(lowest, static_cast<double>(norm(x)) - 0.08);
        }
    }
    EXPECT_LT(moved, 5e-6);
    EXPECT_NEAR(lowest / static_cast<double>(settings.collision_radius), 1, 0.01);
}

TEST(rod_contact, no_strand_tunnels_a_capsule_at_5_metres_a_second) {
    std::vector<std::vector<Vec3f>> lines;
    for (std::uint32_t s = 0; s < 60; ++s) {
        const float turn = 1.5f * counter_signed(1, s, 0);
        const SinCos<float> at = sin_cos(turn);
        const Vec3f along =
            unit_or(Vec3f{0.3f * at.sin, 0.2f * counter_signed(1, s, 1), at.cos}, {0, 0, 1});
        const Vec3f middle{0.1f * counter_signed(1, s, 2), 0.3f, 0};
        lines.push_back(straight_line(middle - along * 0.15f, along, 0.3f, 33));
    }
    SimSettings settings = rod_settings();
    settings.hold_roots = false;
    World world;
    world.colliders.push_back(
        {.shape = ColliderShape::capsule, .centre = {-1, 0, 0}, .end = {1, 0, 0}, .radius = 0.05f});
    Simulation simulation(strands_of(lines), settings, world, 1);
    kick(simulation.state(), 0, {0, -5, 0});
    run(simulation, 0.15);
    int below = 0;
    for (int s = 0; s < 60; ++s)
        for (int i = 0; i < 32; ++i) {
            const Vec3f a = simulation.state().x.vec3(s, i),
                        b = simulation.state().x.vec3(s, i + 1);
            const bool crosses = (a.z < 0) != (b.z < 0);
            below += crosses && std::min(a.y, b.y) < 0;
        }
    EXPECT_EQ(below, 0);
    EXPECT_LT(simulation.measure(pool()).max_penetration, 0.005);
    EXPECT_TRUE(all_finite(simulation.state()));
}

TEST(rod_contact, strand_moves_with_a_moving_body) {
    SimSettings settings = rod_settings();
    settings.hold_roots = false;
    World world;
    world.colliders.push_back({.shape = ColliderShape::plane, .friction = 1});
    world.head.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {2, {0.5f, 0.2f, 0}, {0, 40, 0}}};
    Simulation simulation(strands_of({straight_line({0.1f, 0.001f, 0}, {0, 0, 1}, 0.1f, 17)}),
                          settings, world, 1);
    const Vec3f start = simulation.state().x.vec3(0, 8);
    run(simulation, 2);
    const Vec3f wanted = apply(simulation.head_pose(), start);
    EXPECT_LT(norm(simulation.state().x.vec3(0, 8) - wanted), 2e-3f);
}

TEST(rod_contact, all_lane_kinds_give_the_same_bits) {
    std::vector<std::vector<Vec3f>> lines;
    for (std::uint32_t s = 0; s < 13; ++s)
        lines.push_back(helix({0.02f * static_cast<float>(s) - 0.13f, 0.16f, 0}, 0.006f, 0.03f,
                              0.2f, 9 + 3 * static_cast<int>(s)));
    for (const float ellipse : {1.0f, 0.6f}) {
        std::vector<std::vector<Vec3f>> ends;
        for (const LaneKind lanes : {LaneKind::scalar, LaneKind::wide8, LaneKind::automatic}) {
            SimSettings settings = rod_settings();
            settings.rod.aspect_ratio = ellipse;
            settings.rod.damping = 0.001f;
            World world;
            world.colliders = {{.radius = 0.1f}, {.centre = {0.05f, -0.1f, 0}, .radius = 0.08f}};
            world.head.motion = MotionKind::shake;
            Simulation simulation(strands_of(lines), settings, world, 1, lanes);
            run(simulation, kSanitized ? 0.1 : 0.5);
            EXPECT_GT(norm(simulation.state().x.vec3(0, 8) - lines[0][8]), 1e-3f);
            ends.push_back(unpack(simulation.state().x));
            for (const Vec3f& v : unpack(simulation.state().v)) ends.back().push_back(v);
        }
        for (std::size_t k = 0; k < ends[0].size(); ++k)
            for (std::size_t lane = 1; lane < ends.size(); ++lane)
                ASSERT_TRUE(ends[lane][k].x == ends[0][k].x && ends[lane][k].y == ends[0][k].y &&
                            ends[lane][k].z == ends[0][k].z)
                    << k << " ellipse " << ellipse;
    }
}

}  // namespace
}  // namespace ringlet
