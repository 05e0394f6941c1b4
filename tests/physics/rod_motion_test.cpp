// Motion of the rod with the second-order integrator, at a step of 1/60 s with two solves, against
// its own limit of small steps.
#include <gtest/gtest.h>

#include "sim/models/registry.h"
#include "sim/substeps.h"
#include "validate/lab.h"
#include "validate/profile.h"

namespace ringlet {
namespace {

using namespace lab;

SimSettings rod_settings(Integrator integrator = Integrator::second_order) {
    SimSettings out;
    for (std::size_t k = 0; k < all_models().size(); ++k)
        if (std::string(all_models()[k].name) == "rod") out.model = static_cast<int>(k);
    out.substeps = 2;
    out.rod.solves = 1;
    out.rod.integrator = integrator;
    out.damping = 0;
    return out;
}

SimSettings with_small_steps(SimSettings settings) {
    settings.dt = 1.0f / 960;
    settings.substeps = 8;
    return settings;
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

// Frequency (1/s, of the undamped mode) and damping ratio of an oscillation about 0, from the
// linear recurrence that its samples satisfy.
struct Oscillation {
    double omega, zeta;
};
Oscillation oscillation_of(const std::vector<double>& y, double dt) {
    double a = 0, b = 0, c = 0, p = 0, q = 0;
    for (std::size_t n = 1; n + 1 < y.size(); ++n) {
        a += y[n] * y[n];
        b += y[n] * y[n - 1];
        c += y[n - 1] * y[n - 1];
        p += y[n + 1] * y[n];
        q += y[n + 1] * y[n - 1];
    }
    const double det = a * c - b * b, first = (p * c - q * b) / det, second = (q * a - p * b) / det;
    const double radius = std::sqrt(-second), angle = std::acos(first / (2 * radius));
    const double omega = std::hypot(angle, std::log(radius)) / dt;
    return {omega, -std::log(radius) / (omega * dt)};
}

// The shape of the k-th mode of a clamped beam; root^2 is its constant.
double beam_mode(double root, double s) {
    const auto shape = [root](double at) {
        const double ratio =
            (std::cos(root) + std::cosh(root)) / (std::sin(root) + std::sinh(root));
        return std::cosh(root * at) - std::cos(root * at) -
               ratio * (std::sinh(root * at) - std::sin(root * at));
    };
    return shape(s) / shape(1);
}

// A clamped hair whose second mode has 10.6 Hz.
Oscillation beam_oscillation(SimSettings settings, double b) {
    const int segments = 32;
    const double length = 0.1063, root = std::sqrt(b);
    settings.gravity = {0, 0, 0};
    settings.rod.sag_free = false;
    const double omega = b * std::sqrt(stiffness_over_weight(settings)) / (length * length);
    Simulation simulation(
        strands_of({straight_line({0, 0, 0}, {1, 0, 0}, static_cast<float>(length), segments + 1)}),
        settings, {}, 1);
    const auto shape = [&](int i) { return beam_mode(root, static_cast<double>(i) / segments); };
    for (int i = 1; i <= segments; ++i)
        simulation.state().v.set_vec3(0, i,
                                      {0, static_cast<float>(0.01 * length * omega * shape(i)), 0});
    std::vector<double> samples;
    while (simulation.time() < 8 * 6.283 / omega) {
        simulation.step(pool());
        double sum = 0;
        for (int i = 1; i <= segments; ++i)
            sum += wide(simulation.state().x.vec3(0, i)).y * shape(i) * (i == segments ? 0.5 : 1);
        samples.push_back(sum);
    }
    const Oscillation found = oscillation_of(samples, static_cast<double>(settings.dt));
    return {found.omega / omega, found.zeta};
}

TEST(rod_motion, beam_modes_keep_their_frequency_and_hardly_decay) {
    const Oscillation first = beam_oscillation(rod_settings(), 3.516015);
    EXPECT_NEAR(first.omega, 1, 0.005);
    EXPECT_LT(std::abs(first.zeta), 1e-4);
    const Oscillation second = beam_oscillation(rod_settings(), 22.034492);
    const Oscillation limit = beam_oscillation(with_small_steps(rod_settings()), 22.034492);
    EXPECT_NEAR(second.omega / limit.omega, 1, 0.05);
    EXPECT_LT(second.zeta, 0.006);
    // Backward Euler damps it by omega h / 2.
    EXPECT_GT(beam_oscillation(rod_settings(Integrator::backward_euler), 22.034492).zeta, 0.2);
}

// The time (s) in which the bounce of a released curl decays to 1/e, in air.
double curl_decay(SimSettings settings, float damping, float dial) {
    const int vertices = 57;
    const StrandSet rest = strands_of({helix({-0.013f, 0, 0}, 0.013f, 0.045f, 0.2f, vertices)});
    settings.damping = 1;
    settings.rod.damping = damping;
    settings.rod.bounce_dial = dial;
    Simulation simulation(rest, settings, {}, 1);
    simulation.set_gravity({0, -9.81f * 1.05f, 0});
    simulation.settle(2, pool());
    simulation.set_gravity(settings.gravity);
    std::vector<double> height;
    while (simulation.time() < 1.2) {
        simulation.step(pool());
        double sum = 0;
        for (int i = 1; i < vertices; ++i)
            sum += wide(simulation.state().x.vec3(0, i) - rest.position.vec3(0, i)).y;
        height.push_back(sum);
    }
    // The slope of the logarithm of the mean square over one period of 0.25 s.
    const auto count =
        static_cast<std::size_t>(std::lround(0.25 / static_cast<double>(settings.dt)));
    double n = 0, t = 0, y = 0, tt = 0, ty = 0;
    for (std::size_t k = 0; k + count <= height.size(); ++k) {
        double square = 0;
        for (std::size_t j = k; j < k + count; ++j) square += height[j] * height[j];
        const double at = static_cast<double>(k) * static_cast<double>(settings.dt);
        n += 1;
        t += at;
        y += 0.5 * std::log(square);
        tt += at * at;
        ty += at * 0.5 * std::log(square);
    }
    return -(n * tt - t * t) / (n * ty - t * y);
}

TEST(rod_motion, released_curl_bounces_as_long_as_with_small_steps) {
    struct Case {
        float damping, dial;
    };
    std::vector<double> decays;
    for (const Case& one : {Case{0, 0.5f}, {5e-4f, 0.5f}, {5e-4f, 0}, {5e-4f, 1}}) {
        const double limit = curl_decay(with_small_steps(rod_settings()), one.damping, one.dial);
        decays.push_back(curl_decay(rod_settings(), one.damping, one.dial));
        EXPECT_NEAR(decays.back() / limit, 1, 0.2) << one.damping << " " << one.dial;
    }
    EXPECT_GT(decays[3], 1.5 * decays[2]);  // the dial acts
    EXPECT_LT(curl_decay(rod_settings(Integrator::backward_euler), 0, 0.5f), 0.5 * decays[0]);
}

TEST(rod_motion, free_strand_keeps_its_angular_momentum) {
    SimSettings settings = rod_settings();
    settings.gravity = {0, 0, 0};
    settings.hold_roots = false;
    const int vertices = 33;
    const StrandSet rest = strands_of({helix({0, 0, 0}, 0.01f, 0.04f, 0.2f, vertices)});
    Simulation simulation(rest, settings, {}, 1);
    for (int i = 0; i < vertices; ++i)
        simulation.state().v.set_vec3(
            0, i, cross(Vec3f{3, 0.5f, 6}, rest.position.vec3(0, i) - Vec3f{0, -0.1f, 0}));
    // About the centre of mass; both ends have half a vertex's mass.
    const auto momentum = [&] {
        Vec3d centre, velocity, sum;
        const auto mass = [&](int i) { return i == 0 || i + 1 == vertices ? 0.5 : 1; };
        const SimState& now = simulation.state();
        for (int i = 0; i < vertices; ++i) {
            centre = centre + wide(now.x.vec3(0, i)) * (mass(i) / (vertices - 1));
            velocity = velocity + wide(now.v.vec3(0, i)) * (mass(i) / (vertices - 1));
        }
        for (int i = 0; i < vertices; ++i)
            sum = sum + cross(wide(now.x.vec3(0, i)) - centre, wide(now.v.vec3(0, i)) - velocity) *
                            mass(i);
        return sum;
    };
    run(simulation, 0.1);
    const Vec3d before = momentum();
    run(simulation, 1);
    EXPECT_LT(norm(momentum() - before) / norm(before), 0.01);
}

// A limp strand released horizontally cracks like a whip, which a step of 1/60 s does not resolve.
TEST(rod_motion, energy_of_a_swinging_strand_never_exceeds_its_start) {
    struct Case {
        float dt;
        int substeps;
    };
    for (const Case& one : {Case{1.0f / 60, 2}, {1.0f / 60, 4}, {1.0f / 960, 2}}) {
        SimSettings settings = rod_settings();
        settings.dt = one.dt;
        settings.substeps = one.substeps;
        settings.rod.solves = 2;
        settings.rod.sag_free = false;
        settings.rod.youngs_modulus = 1;
        settings.clamp_root = false;
        const int segments = 32;
        const double length = 0.3;
        Simulation simulation(
            strands_of({straight_line({0, 0, 0}, {1, 0, 0}, static_cast<float>(length), 33)}),
            settings, {}, 1);
        double most = -1;
        while (simulation.time() < 5) {
            simulation.step(pool());
            double energy = 0;
            for (int i = 1; i <= segments; ++i) {
                const double speed = norm(wide(simulation.state().v.vec3(0, i)));
                energy += (0.5 * speed * speed + 9.81 * wide(simulation.state().x.vec3(0, i)).y) *
                          (i == segments ? 0.5 : 1) / segments;
            }
            most = std::max(most, energy / (9.81 * length));
        }
        EXPECT_LT(most, 5e-4) << one.dt << " " << one.substeps;
    }
}

// Loose strands that fall onto a ball and the ground at up to 3 m/s.
struct Impacts {
    int limited = 0;   // strand-frames corrected by the strain limit
    double depth = 0;  // m, of the deepest vertex, mean over the variants
};
Impacts fall_onto_a_ball(Integrator integrator) {
    SimSettings settings = rod_settings(integrator);
    settings.rod.solves = 2;
    settings.rod.radius = 50e-6f;
    settings.hold_roots = false;
    settings.damping = 1;
    World world;
    world.colliders = {{.centre = {0, 0.1f, 0}, .radius = 0.1f, .friction = 0.4f},
                       {.shape = ColliderShape::plane, .friction = 0.4f}};
    const int variants = 6, strands = 24;
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
    EXPECT_LE(now.limited, euler.limited);
    EXPECT_LE(now.depth, euler.depth);
}

TEST(rod_motion, groomed_pose_stays_at_rest_with_any_number_of_substeps) {
    for (const int substeps : {1, 2, 3, 5}) {
        SimSettings settings = rod_settings();
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
    SimSettings settings = rod_settings(integrator);
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
    run(simulation, 0.7);
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

}  // namespace
}  // namespace ringlet
