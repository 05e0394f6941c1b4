// The second-order integrator of the rod, beyond the checks of motion of src/validate.
#include <gtest/gtest.h>

#include "physics/rod_lab.h"
#include "sim/substeps.h"
#include "test_level.h"
#include "unit/growing_ball.h"

namespace ringlet {
namespace {

using namespace lab;

SimSettings moving_rod(Integrator integrator = Integrator::second_order) {
    SimSettings out = rod_settings();
    out.rod.solves = 1;
    out.rod.integrator = integrator;
    return out;
}

TEST(substeps, pairs_of_a_second_order_step_end_at_g_and_1) {
    const float dt = 0.1f, h = 2 * sdirk2::kGamma * dt / 4;
    double time = 0;
    for (int k = 0; k < 4; ++k) {
        const SubstepTimes at = substep_times(dt, 4, true, k);
        EXPECT_EQ(at.stage, k % 2 == 0 ? StepStage::first : StepStage::second);
        EXPECT_FLOAT_EQ(at.h, h);
        EXPECT_EQ(at.begin, time);
        EXPECT_NEAR(static_cast<double>(at.span), (at.end - at.begin) * 0.1 / 4, 1e-8);
        time = at.end;
    }
    EXPECT_EQ(time, 4);
}

TEST(substeps, odd_last_substep_is_a_backward_euler_step) {
    EXPECT_EQ(substep_times(0.1f, 3, true, 1).stage, StepStage::second);
    const SubstepTimes last = substep_times(0.1f, 3, true, 2);
    EXPECT_EQ(last.stage, StepStage::whole);
    EXPECT_FLOAT_EQ(last.h, 0.1f / 3);
    EXPECT_EQ(last.begin, 2);
    EXPECT_EQ(last.end, 3);
    EXPECT_EQ(whole_step_count(3, true), 2);
}

// Loose strands that fall onto a ball and the ground at up to 3 m/s.
struct Impacts {
    int limited = 0;   // strand-frames corrected by the strain limit
    double depth = 0;  // m, of the deepest vertex, mean over the variants
};
Impacts fall_onto_a_ball(Integrator integrator) {
    SimSettings settings = moving_rod(integrator);
    settings.rod.solves = 2;
    settings.rod.radius = 50e-6f;
    settings.hold_roots = false;
    settings.damping = 1;
    World world;
    world.colliders = {{.centre = {0, 0.1f, 0}, .radius = 0.1f, .friction = 0.4f},
                       {.shape = ColliderShape::plane, .friction = 0.4f}};
    const int variants = kSanitized ? 1 : 6, strands = 24;
    Impacts out;
    for (std::uint32_t variant = 0; variant < variants; ++variant) {
        std::vector<std::vector<Vec3f>> lines;
        for (std::uint32_t k = 0; k < strands; ++k) {
            const auto at = [&](std::uint32_t channel) {
                return counter_signed(variant, k, channel);
            };
            const Vec3f root = {0.15f * at(0), 0.45f + 0.14f * at(1), -0.1f + 0.1f * at(2)};
            const Vec3f along = unit_or(Vec3f{at(3), 0.4f * at(4), 1 + at(5)}, Vec3f{0, 0, 1});
            lines.push_back(k % 2 ? straight_line(root, along, 0.25f, 33)
                                  : helix(root, 0.006f, 0.04f, 0.2f, 49));
        }
        Simulation simulation(strands_of(lines), settings, world, 1);
        double deepest = 0;
        while (simulation.time() < 1.5) {
            simulation.step(pool());
            out.limited += simulation.collect_strain_limited();
            deepest =
                std::max(deepest, static_cast<double>(simulation.measure(pool()).max_penetration));
        }
        out.depth += deepest / variants;
    }
    return out;
}

TEST(rod_motion, falling_strands_meet_bodies_as_softly_as_with_backward_euler) {
    const Impacts euler = fall_onto_a_ball(Integrator::backward_euler);
    const Impacts now = fall_onto_a_ball(Integrator::second_order);
    EXPECT_LT(now.depth, 0.02);
    if (kSanitized) return;  // too few strands to compare
    EXPECT_LE(now.limited, euler.limited);
    EXPECT_LE(now.depth, euler.depth);
}

TEST(rod_motion, groomed_pose_stays_at_rest_with_any_number_of_substeps) {
    for (const int substeps : {1, 2, 3, 5}) {
        SimSettings settings = moving_rod();
        settings.substeps = substeps;
        settings.rod.damping = 1e-3f;
        const StrandSet rest = strands_of({helix({-0.01f, 0, 0}, 0.01f, 0.04f, 0.2f, 65)});
        Simulation simulation(rest, settings, {}, 1);
        run(simulation, 2);
        double most = 0;
        for (int i = 0; i < 65; ++i)
            most = std::max(
                most, norm(wide(simulation.state().x.vec3(0, i)) - wide(rest.position.vec3(0, i))));
        EXPECT_LT(most, 0.372e-5) << substeps;
    }
}

// Strands of many lengths in one block, shaken over a sphere and a plane.
std::string hash_of_run(LaneKind lanes, int substeps, float ellipse, bool holds_tips,
                        Integrator integrator) {
    SimSettings settings = moving_rod(integrator);
    settings.substeps = substeps;
    settings.hold_tips = holds_tips;
    settings.damping = 1;
    settings.rod.aspect_ratio = ellipse;
    settings.rod.damping = 0.001f;
    World world;
    world.head.motion = MotionKind::shake;
    if (!holds_tips)
        world.colliders = {{.centre = {0, -0.15f, 0.02f}, .radius = 0.05f},
                           {.shape = ColliderShape::plane, .centre = {0, -0.2f, 0}}};
    std::vector<std::vector<Vec3f>> lines;
    for (int k = 0; k < 11; ++k) {
        const float side = 0.01f * static_cast<float>(k);
        lines.push_back(k % 2 ? helix({side, 0, 0}, 0.01f, 0.04f, 0.2f, 20 + k)
                              : straight_line({-side, 0, 0}, {0, -1, 0}, 0.25f, 2 + k));
    }
    Simulation simulation(strands_of(lines), settings, world, 1, lanes);
    run(simulation, kSanitized ? 0.1 : 0.7);
    EXPECT_TRUE(all_finite(simulation.state()));
    return hash_of(simulation.state().x, simulation.state().v).hex();
}

TEST(rod_motion, every_kind_of_lane_gives_the_same_bits) {
    struct Case {
        int substeps;
        float ellipse;
        bool holds_tips;
        Integrator integrator = Integrator::second_order;
    };
    for (const Case& one : {Case{2, 1, false},
                            {3, 0.6f, false},
                            {2, 1, true},
                            {2, 1, false, Integrator::backward_euler}}) {
        const auto hash = [&](LaneKind lanes) {
            return hash_of_run(lanes, one.substeps, one.ellipse, one.holds_tips, one.integrator);
        };
        const std::string scalar = hash(LaneKind::scalar);
        EXPECT_EQ(hash(LaneKind::wide8), scalar) << one.substeps;
        EXPECT_EQ(hash(LaneKind::avx2), scalar) << one.substeps;
        EXPECT_EQ(hash(LaneKind::automatic), scalar) << one.substeps;
    }
}

TEST(rod_motion, every_kind_of_lane_gives_the_same_bits_around_a_body_that_changes_its_shape) {
    std::vector<std::vector<Vec3f>> lines;
    for (int k = 0; k < 75; ++k) {
        const float angle = 2.4f * static_cast<float>(k);
        const float radius = 0.03f + 0.0002f * static_cast<float>(k);
        lines.push_back(straight_line({radius * std::cos(angle), 0.16f, radius * std::sin(angle)},
                                      {0, -1, 0}, 0.3f, 20 + k % 3));
    }
    const StrandSet rest = strands_of(lines);
    const World world = world_of_a_growing_ball();
    SimSettings settings;
    settings.model = moving_rod().model;
    const auto hash = [&](LaneKind lanes) {
        Simulation simulation(rest, settings, world, 1, lanes);
        run(simulation, kSanitized ? 0.05 : 0.2);
        return hash_of(simulation.state().x, simulation.state().v).hex();
    };
    const std::string scalar = hash(LaneKind::scalar);
    EXPECT_EQ(hash(LaneKind::wide8), scalar);
    EXPECT_EQ(hash(LaneKind::automatic), scalar);
}

}  // namespace
}  // namespace ringlet
