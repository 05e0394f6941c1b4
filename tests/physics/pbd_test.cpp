// The properties of the model pbd beyond the checks of src/validate (validate_test.cpp), compared
// with closed forms or invariants.
#include <gtest/gtest.h>

#include "base/hash.h"
#include "physics/incline.h"
#include "test_level.h"
#include "validate/lab.h"

namespace ringlet {
namespace {

using namespace lab;

SimSettings with_all_constraints() {
    SimSettings out = bare_settings();
    out.pbd.pairs = {{PairReach::along, 2, 0, 0.8f},
                     {PairReach::along, 5, 0, 0.5f},
                     {PairReach::ends, 2, 0, 0.3f}};
    out.pbd.bend_stiffness = 0.5f;
    return out;
}

TEST(pbd, free_fall_is_exact_to_rounding) {
    SimSettings settings = bare_settings();
    settings.gravity = {0, -9.81f, 0};
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0.6f, 0, 0.8f}, 0.3f, 20)}),
                          settings, {}, 1);
    const SimState start = simulation.state();
    run(simulation, 1);
    // Semi-implicit Euler: v_n = n h g and x_n = x_0 + h^2 g n (n+1)/2.
    const double n = 60 * settings.substeps;
    const double h = static_cast<double>(settings.dt / static_cast<float>(settings.substeps));
    const double g = static_cast<double>(settings.gravity.y);
    for (int i = 0; i < 20; ++i) {
        EXPECT_NEAR(simulation.state().v.vec3(0, i).y, n * h * g, 5e-6 * n * h * -g);
        EXPECT_NEAR(simulation.state().x.vec3(0, i).y - start.x.vec3(0, i).y,
                    h * h * g * n * (n + 1) / 2, 3e-6 * 4.9);
        EXPECT_EQ(simulation.state().x.vec3(0, i).x, start.x.vec3(0, i).x);
    }
}

TEST(pbd, internal_constraints_nearly_conserve_angular_momentum) {
    SimSettings settings = with_all_constraints();
    settings.substeps = 32;
    Simulation simulation(strands_of({helix({0, 0, 0}, 0.01f, 0.04f, 0.3f, 50)}), settings, {}, 1);
    for (int i = 0; i < 50; ++i) {  // a rigid rotation about z
        const Vec3f x = simulation.state().x.vec3(0, i);
        simulation.state().v.set_vec3(0, i, Vec3f{-x.y, x.x, 0} * 2.0f);
    }
    const Vec3d before = angular_momentum(simulation.state());
    run(simulation, 0.5);
    // Projection acts at the end of the substep, so a rotation by omega h has a second-order loss.
    EXPECT_LT(norm(angular_momentum(simulation.state()) - before), 0.01 * norm(before));
}

TEST(pbd, rigid_damping_conserves_both_momenta_and_reduces_energy) {
    SimSettings settings = bare_settings();
    settings.pbd.rigid_damping = 50;
    settings.pbd.stretch_stiffness = 0;  // damping alone
    for (const bool is_straight : {false, true}) {
        const auto line = is_straight ? straight_line({0, 0, 0}, {0.6f, 0.8f, 0}, 0.3f, 30)
                                      : helix({0, 0, 0}, 0.02f, 0.05f, 0.3f, 30);
        Simulation simulation(strands_of({line}), settings, {}, 1);
        kick(simulation.state(), 0.1f, {0.5f, 0.3f, 0});
        const Vec3d p = linear_momentum(simulation.state()),
                    l = angular_momentum(simulation.state());
        const double energy = kinetic_energy(simulation.state());
        simulation.step(pool());
        EXPECT_LT(norm(linear_momentum(simulation.state()) - p), 2e-6 * norm(p));
        EXPECT_LT(norm(angular_momentum(simulation.state()) - l), 2e-5 * norm(l) + 1e-6);
        EXPECT_LT(kinetic_energy(simulation.state()), energy);
    }
}

// Tip drop of a strand clamped horizontally and held straight by angles of stiffness k.
double droop(float k, int iterations, bool corrected, int substeps = 32,
             float stiffness_step = 1.0f / 1920) {
    SimSettings settings = bare_settings();
    settings.hold_roots = true;
    settings.gravity = {0, -9.81f, 0};
    settings.damping = 4;
    settings.substeps = substeps;
    settings.iterations = iterations;
    settings.pbd.stiffness_step = stiffness_step;
    settings.pbd.iteration_corrected = corrected;
    settings.pbd.bend_stiffness = k;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.1f, 11)}), settings, {},
                          1);
    run(simulation, 6);
    return -static_cast<double>(simulation.state().x.vec3(0, 10).y);
}

TEST(pbd, corrected_stiffness_does_not_depend_on_iterations) {
    RINGLET_TEST_FROM(full);
    const double at5 = droop(0.2f, 5, true), at10 = droop(0.2f, 10, true),
                 at40 = droop(0.2f, 40, true);
    EXPECT_GT(at10, 0.005);  // it does droop: 5 to 60 % of the length
    EXPECT_LT(at10, 0.06);
    EXPECT_NEAR(at5 / at40, 1, 0.02);
    EXPECT_NEAR(at10 / at40, 1, 0.02);
    // Without the correction, eight times the iterations is several times the stiffness.
    EXPECT_GT(droop(0.2f, 5, false) / droop(0.2f, 40, false), 2);
}

TEST(pbd, stiffness_does_not_depend_on_the_substep) {
    constexpr float kStep = 1.0f / 480;
    const double at8 = droop(0.8f, 5, true, 8, kStep);
    EXPECT_GT(at8, 0.005);
    EXPECT_LT(at8, 0.07);
    if (kSanitized) return;  // the same code with more substeps
    EXPECT_NEAR(droop(0.8f, 5, true, 32, kStep) / at8, 1, 0.01);
    EXPECT_NEAR(droop(0.8f, 1, true, 40, kStep) / at8, 1, 0.01);
    EXPECT_NEAR(droop(0.8f, 20, true, 4, kStep) / at8, 1, 0.02);
    // As published, the same fraction in every substep is many times the stiffness.
    EXPECT_GT(droop(0.8f, 5, true, 4, 0) / droop(0.8f, 5, true, 32, 0), 3);
}

TEST(pbd, stiffness_is_exactly_the_given_one_in_the_substep_it_is_given_for) {
    std::string hashes[2];
    for (const bool rescaled : {false, true}) {
        SimSettings settings = with_all_constraints();
        settings.dt = 1.0f / 90;
        settings.substeps = 7;
        settings.pbd.stiffness_step = rescaled ? 0.0015873f : 0;  // 1/630 s
        Simulation simulation(strands_of({helix({0, 0, 0}, 0.01f, 0.05f, 0.1f, 21)}), settings, {},
                              1);
        kick(simulation.state(), 0.5f);
        run(simulation, 0.1);
        hashes[rescaled] = hash_of(simulation.state().x, simulation.state().v).hex();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(pbd, a_single_spring_hangs_the_same_for_any_iterations) {
    const auto hang = [](int iterations) {
        SimSettings settings = bare_settings();
        settings.hold_roots = true;
        settings.clamp_root = false;
        settings.gravity = {0, -9.81f, 0};
        settings.damping = 5;
        settings.iterations = iterations;
        settings.pbd.stretch_stiffness = 0.6f;
        Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.1f, 2)}), settings,
                              {}, 1);
        run(simulation, 5);
        return static_cast<double>(-simulation.state().x.vec3(0, 1).y) - 0.1;
    };
    // At rest a substep adds g h^2 and removes the fraction k: stretch = (1-k)/k g h^2.
    const double h = 1.0 / 60 / 8, expected = 0.4 / 0.6 * 9.81 * h * h;
    for (const int iterations : {1, 5, 40})
        EXPECT_NEAR(hang(iterations), expected, 0.01 * expected);
}

TEST(pbd, pull_to_the_groomed_position_sags_the_same_for_any_step_and_iterations) {
    const auto sag = [](float dt, int substeps, int iterations) {
        SimSettings settings = bare_settings();
        settings.hold_roots = true;
        settings.clamp_root = false;
        settings.gravity = {0, -9.81f, 0};
        settings.damping = 5;
        settings.dt = dt;
        settings.substeps = substeps;
        settings.iterations = iterations;
        settings.pbd.stretch_stiffness = 0;
        settings.pbd.shape_stiffness = 0.02f;
        settings.pbd.shape_reach = 1e6f;
        Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.1f, 2)}), settings,
                              {}, 1);
        run(simulation, 4);
        return -static_cast<double>(simulation.state().x.vec3(0, 1).y);
    };
    // Gravity over omega^2, with omega^2 h^2 = k/(1 - k) for h = 1/480 s.
    const double expected = 9.81 / (0.02 / 0.98 * 480 * 480);
    EXPECT_NEAR(sag(1.0f / 60, 8, 5) / expected, 1, 1e-3);
    EXPECT_NEAR(sag(1.0f / 60, 2, 1) / expected, 1, 1e-3);
    EXPECT_NEAR(sag(1.0f / 240, 8, 3) / expected, 1, 1e-3);
}

TEST(pbd, pairs_curl_an_exactly_straight_vertical_strand) {
    SimSettings settings = bare_settings();
    settings.hold_roots = true;
    settings.gravity = {0, -9.81f, 0};
    settings.damping = 3;
    settings.pbd.pairs = {{PairReach::along, 2, 0.9f, 0.6f}, {PairReach::along, 4, 1.9f, 0.6f}};
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.6f, 61)}), settings,
                          {}, 1);
    run(simulation, 3);
    ASSERT_TRUE(all_finite(simulation.state()));
    double sideways = 0;
    for (int i = 2; i < 61; ++i) {
        const Vec3f x = simulation.state().x.vec3(0, i);
        sideways =
            std::max(sideways, std::hypot(static_cast<double>(x.x), static_cast<double>(x.z)));
    }
    EXPECT_GT(sideways, 0.003);                               // it left the line
    EXPECT_GT(simulation.state().x.vec3(0, 60).y, -0.5f);     // and is shorter than straight
    EXPECT_LT(simulation.measure(pool()).max_stretch, 0.01);  // without any segment stretching
}

TEST(pbd, pairs_reach_their_distance) {
    SimSettings settings = bare_settings();
    settings.damping = 3;
    settings.pbd.pairs = {{PairReach::along, 2, 1.4f, 0.6f}, {PairReach::ends, 2, 6, 0.6f}};
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.2f, 21)}), settings,
                          {}, 1);
    run(simulation, 5);
    const Channel<3>& x = simulation.state().x;
    for (int i = 0; i + 2 < 21; ++i)
        EXPECT_NEAR(norm(x.vec3(0, i + 2) - x.vec3(0, i)), 0.014, 3e-4);
    EXPECT_NEAR(norm(x.vec3(0, 20) - x.vec3(0, 0)), 0.06, 2e-3);
}

TEST(pbd, bent_strand_returns_to_its_rest_angles) {
    SimSettings settings = bare_settings();
    settings.damping = 3;
    settings.pbd.bend_stiffness = 0.5f;
    const StrandSet rest = strands_of({helix({0, 0, 0}, 0.01f, 0.05f, 0.1f, 21)});
    Simulation simulation(rest, settings, {}, 1);
    kick(simulation.state(), 0.5f);
    run(simulation, 6);
    const auto angle_at = [](const Channel<3>& x, int i) {
        const Vec3f a = x.vec3(0, i) - x.vec3(0, i - 1), b = x.vec3(0, i + 1) - x.vec3(0, i);
        return atan2(norm(cross(a, b)), dot(a, b));
    };
    for (int i = 1; i < 20; ++i)
        EXPECT_NEAR(angle_at(simulation.state().x, i), angle_at(rest.position, i), 0.01);
}

TEST(pbd, strand_returns_to_its_groomed_position_on_the_rotated_head) {
    const auto farthest = [](float shape_stiffness) {
        SimSettings settings = bare_settings();
        settings.hold_roots = true;
        settings.damping = 3;
        settings.pbd.shape_stiffness = shape_stiffness;
        settings.pbd.shape_reach = 1;
        World world;
        world.head.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {0.1f, 0, 0}, {0, 0, 90}}};
        const StrandSet rest = strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.2f, 21)});
        Simulation simulation(rest, settings, world, 1);
        kick(simulation.state(), 1);
        run(simulation, 4);
        float out = 0;
        for (int i = 0; i < 16; ++i)  // the pull is zero at the tip
            out = std::max(out, norm(simulation.state().x.vec3(0, i) -
                                     apply(simulation.head_pose(), rest.position.vec3(0, i))));
        return out;
    };
    EXPECT_LT(farthest(0.2f), 1e-3f);
    EXPECT_GT(farthest(0), 0.02f);  // without the pull the strand does not return
}

TEST(pbd, broken_input_never_makes_a_nan) {
    const Vec3f o{0.1f, 0.2f, 0.3f};
    const std::vector<std::vector<Vec3f>> lines = {
        {o},                                     // a root without hair
        {o, o},                                  // no length at all
        {o, o, o, o, o, o},                      // everything in one point
        {o, o + Vec3f{0, -0.1f, 0}, o},          // folded onto itself
        straight_line(o, {0, -1, 0}, 0.3f, 30),  // exactly straight and vertical
        straight_line(o, {0, 1, 0}, 0.3f, 30),   // and upside down
        straight_line(o, {0, -1, 0}, 1e-7f, 9),  // shorter than a micrometre
        straight_line(o, {0, -1, 0}, 5, 9),
    };
    SimSettings settings = with_all_constraints();
    settings.gravity = {0, -9.81f, 0};
    settings.hold_roots = true;
    settings.pbd.rigid_damping = 1;
    settings.pbd.pairs.push_back({PairReach::along, 3, 0.5f, 1});
    World world;
    world.colliders.push_back({.centre = o, .radius = 0.05f});
    world.colliders.push_back(
        {.shape = ColliderShape::capsule, .centre = o, .end = o, .radius = 0});
    for (const bool clamp : {false, true}) {
        settings.clamp_root = clamp;
        Simulation simulation(strands_of(lines), settings, world, 1);
        for (int k = 0; k < 120; ++k) {
            simulation.step(pool());
            ASSERT_TRUE(all_finite(simulation.state())) << "step " << k;
        }
        EXPECT_LT(simulation.collect_repaired().first, 0);
    }
}

TEST(pbd, out_of_range_values_are_repaired_and_reported) {
    SimSettings settings = bare_settings();
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 10),
                                      straight_line({1, 0, 0}, {0, -1, 0}, 0.3f, 10)}),
                          settings, {}, 1);
    simulation.state().v.set_vec3(1, 4, {INFINITY, NAN, -1e30f});
    run(simulation, 1);
    EXPECT_TRUE(all_finite(simulation.state()));
    EXPECT_EQ(simulation.collect_repaired().first, 1);
    EXPECT_LT(simulation.collect_repaired().first, 0);  // reported once
}

TEST(pbd, damping_is_exponential_and_per_second) {
    for (const int substeps : {1, 8}) {
        SimSettings settings = bare_settings();
        settings.damping = 1.5f;
        settings.substeps = substeps;
        Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 10)}),
                              settings, {}, 1);
        kick(simulation.state(), 0, {1, 0, 0});
        run(simulation, 1);
        EXPECT_NEAR(simulation.state().v.vec3(0, 5).x, std::exp(-1.5), 1e-5);
    }
}

TEST(pbd, a_force_moves_light_strands_more) {
    SimSettings settings = bare_settings();
    settings.force = {0.1f, 0, 0};
    settings.pbd.mass_variation = 0.1765f;
    std::vector<std::vector<Vec3f>> lines(64, straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 10));
    Simulation simulation(strands_of(lines), settings, {}, 1);
    run(simulation, 1);
    double least = 1e9, most = 0;
    for (int s = 0; s < 64; ++s) {
        const double mass = 0.1 / static_cast<double>(simulation.state().v.vec3(s, 3).x);
        least = std::min(least, mass);
        most = std::max(most, mass);
    }
    EXPECT_GT(least, 0.349);
    EXPECT_LT(least, 0.37);
    EXPECT_GT(most, 0.48);
    EXPECT_LT(most, 0.501);
}

TEST(pbd, held_vertices_follow_the_head_exactly) {
    SimSettings settings;
    World world;
    world.head.motion = MotionKind::turn;
    world.head.amplitude = 0.8f;
    const StrandSet rest = strands_of({straight_line({0.1f, 0.3f, 0}, {1, 0, 0}, 0.2f, 20)});
    Simulation simulation(rest, settings, world, 1);
    for (int k = 0; k < 60; ++k) {
        simulation.step(pool());
        for (int i = 0; i < 2; ++i)
            EXPECT_LT(norm(simulation.state().x.vec3(0, i) -
                           apply(simulation.head_pose(), rest.position.vec3(0, i))),
                      1e-7f);
    }
}

TEST(pbd_contact, strand_sticks_below_and_slides_above_the_friction_angle) {
    SimSettings settings = bare_settings();
    settings.gravity = {0, -9.81f, 0};
    for (const float mu : {0.1f, 0.3f, 0.6f, 1.0f}) {
        EXPECT_LT(slide(settings, mu, 0.97), 1e-3) << mu;
        EXPECT_GT(slide(settings, mu, 1.03), 1e-2) << mu;
    }
}

TEST(pbd_contact, strand_falling_on_a_sphere_stays_outside) {
    SimSettings settings = bare_settings();
    settings.gravity = {0, -9.81f, 0};
    World world;
    world.colliders.push_back({.centre = {0, 0, 0}, .radius = 0.1f, .friction = 0.5f});
    Simulation simulation(strands_of({straight_line({-0.2f, 0.15f, 0.01f}, {1, 0, 0}, 0.4f, 60)}),
                          settings, world, 1);
    bool touched = false;
    for (int k = 0; k < 60; ++k) {
        simulation.step(pool());
        const Measurement now = simulation.measure(pool());
        EXPECT_LT(now.max_penetration, 1e-3);
        EXPECT_LT(now.max_stretch, 0.01);
        for (int i = 0; i < 60; ++i)
            touched |= norm(simulation.state().x.vec3(0, i)) < 0.1f + 2 * settings.collision_radius;
    }
    EXPECT_TRUE(touched);
}

TEST(pbd_contact, strand_keeps_its_groomed_gap_up_to_keep_gap) {
    const auto height = [](float keep_gap) {
        SimSettings settings = bare_settings();
        settings.gravity = {0, -9.81f, 0};
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
    EXPECT_NEAR(height(0.01f), 0.01, 1e-4);  // at most keep_gap
}

TEST(pbd_contact, strand_moves_with_a_moving_body) {
    SimSettings settings = bare_settings();
    settings.gravity = {0, -9.81f, 0};
    World world;
    world.head.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {2, {0.4f, 0, 0}, {0, 0, 0}}};
    world.colliders.push_back({.shape = ColliderShape::plane, .friction = 2});
    Simulation simulation(strands_of({straight_line({0, 0.001f, 0}, {0, 0, 1}, 0.1f, 10)}),
                          settings, world, 1);
    run(simulation, 2.5);
    EXPECT_NEAR(simulation.state().x.vec3(0, 5).x, 0.4, 0.01);
}

TEST(pbd, held_tip_stays_and_the_strand_hangs_in_between) {
    SimSettings settings;
    settings.hold_tips = true;
    settings.damping = 4;
    settings.clamp_root = false;
    std::vector<Vec3f> arch;  // groomed above its ends: it falls through
    for (int i = 0; i < 33; ++i) {
        const float t = static_cast<float>(i) / 32;
        arch.push_back({0.2f * t, 0.4f * t * (1 - t), 0});
    }
    Simulation simulation(strands_of({arch, {{0, 1, 0}, {0.1f, 1, 0}}}), settings, {}, 1);
    run(simulation, 3);
    EXPECT_EQ(simulation.state().x.vec3(0, 32).x, 0.2f);
    EXPECT_EQ(simulation.state().x.vec3(0, 32).y, 0.0f);
    EXPECT_EQ(simulation.state().x.vec3(1, 1).x, 0.1f);
    EXPECT_LT(simulation.state().x.vec3(0, 16).y, -0.05f);
    EXPECT_LT(simulation.measure(pool()).max_stretch, 1e-4);
}

// Distances only, which sixteen lanes process for two blocks of equal rows together: blocks with
// strands of one length and of several, an odd block, strands too short for some distances.
std::string hash_of_distances(const SimSettings& settings, LaneKind lanes) {
    World world;
    world.head.motion = MotionKind::shake;
    std::vector<std::vector<Vec3f>> lines;
    for (int k = 0; k < 52; ++k) {
        const float side = 0.01f * static_cast<float>(k);
        const int vertices = k < 20 ? 24 : k < 40 ? 24 - k % 3 : 2 + k % 3;
        lines.push_back(helix({side, 0, 0}, 0.01f, 0.04f, 0.2f, vertices));
    }
    Simulation simulation(strands_of(lines), settings, world, 1, lanes);
    run(simulation, kSanitized ? 0.05 : 0.25);
    EXPECT_TRUE(all_finite(simulation.state()));
    return hash_of(simulation.state().x, simulation.state().v).hex();
}

TEST(pbd, distances_have_the_same_bits_on_every_kind_of_lane) {
    SimSettings settings;
    settings.pbd.pairs = {{.span = 2, .rest = 0.9f}, {.span = 4, .rest = 1.9f}};
    settings.pbd.shape_stiffness = 0;
    for (const bool holds_more : {false, true})
        for (const int iterations : first_if_sanitized(first_if_quick<int>({3, 40}))) {
            settings.clamp_root = settings.hold_tips = holds_more;
            settings.iterations = iterations;
            const std::string scalar = hash_of_distances(settings, LaneKind::scalar);
            for (const LaneKind lanes : {LaneKind::automatic, LaneKind::avx2, LaneKind::wide8})
                EXPECT_EQ(hash_of_distances(settings, lanes), scalar) << holds_more << iterations;
        }
}

// A hairstyle has 28 bytes per vertex, and everything may take three times that, so the simulation
// may add less than twice.
TEST(pbd, stores_little_in_addition_to_the_state) {
    std::vector<std::vector<Vec3f>> lines(64, straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 64));
    World world;
    world.colliders.emplace_back();
    const Simulation simulation(strands_of(lines), SimSettings{}, world, 1);
    EXPECT_LT(static_cast<double>(simulation.byte_count()) / (64 * 64), 36);
}

}  // namespace
}  // namespace ringlet
