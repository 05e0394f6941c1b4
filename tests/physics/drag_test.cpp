// Slender-body drag: terminal velocities and decay of a strand against those of a cylinder in air.
#include "physics/every_model.h"
#include "sim/wind.h"

namespace ringlet {
namespace {

using namespace lab;

constexpr double kViscosity = 1.81e-5, kAirDensity = 1.204;

// Force per length over viscosity and speed, in double precision, from the laws as published.
double across_law(double speed, double radius, double length) {
    const double re = speed * 2 * radius * kAirDensity / kViscosity;
    const double drag_coefficient = 1.18 + 6.8 / std::pow(re, 0.89) + 1.96 / std::sqrt(re) -
                                    4e-4 * re / (1 + 3.64e-7 * re * re);
    const double creeping = 4 * M_PI / (std::log(length / radius) + std::log(2.0) - 0.5);
    return std::max(re * drag_coefficient / 2, creeping);
}

double along_law(double speed, double radius, double length) {
    // The mean of the local law over the length, by the midpoint rule.
    constexpr double kEuler = 0.57721566490153286;
    constexpr int kParts = 1000;
    double layer = 0;
    for (int k = 0; k < kParts; ++k) {
        const double x = (k + 0.5) / kParts * length;
        const double size =
            std::log(4 * kViscosity / kAirDensity * x / (speed * radius * radius)) - 2 * kEuler;
        layer += 4 * M_PI / size / kParts;
    }
    const double creeping = 2 * M_PI / (std::log(length / radius) + std::log(2.0) - 1.5);
    return std::max(layer, creeping);
}

// The speed at which drag balances the weight.
template <class Law>
double terminal_speed(Law law, const RodSettings& rod, double length) {
    const double radius = static_cast<double>(rod.radius);
    const double weight = static_cast<double>(rod.density) * M_PI * radius * radius * 9.81;
    double low = 1e-6, high = 100;
    for (int k = 0; k < 60; ++k) {
        const double middle = std::sqrt(low * high);
        (kViscosity * middle * law(middle, radius, length) < weight ? low : high) = middle;
    }
    return low;
}

SimSettings in_air(SimSettings settings) {
    settings.drag = DragKind::slender_body;
    settings.gravity = {0, -9.81f, 0};
    return settings;
}

TEST(slender_drag, laws_are_those_published) {
    const double radius = 40e-6, length = 0.2;
    const SlenderStrand<float> strand = slender::strand_of(40e-6f, 0.2f);
    for (const float speed : {1e-5f, 0.01f, 0.3f, 2.0f, 20.0f}) {
        const auto re = speed * static_cast<float>(2 * radius * kAirDensity / kViscosity);
        const double wide = static_cast<double>(speed);
        EXPECT_NEAR(slender::resistance_across(strand, re) / across_law(wide, radius, length), 1,
                    1e-5)
            << speed;
        if (speed > 2) continue;  // the boundary layer is too thin near the end
        EXPECT_NEAR(slender::resistance_along(strand, speed) / along_law(wide, radius, length), 1,
                    0.06)
            << speed;
    }
    // Lamb's solution for slow flow: C_D Re = 8 pi/(1/2 - gamma - ln(Re/8)).
    const double lamb = 8 * M_PI / (0.5 - 0.57721566 - std::log(0.1 / 8));
    EXPECT_NEAR(2 * slender::resistance_across(strand, 0.1f) / lamb, 1, 0.05);
}

TEST_P(EveryModel, strand_falls_with_the_terminal_speed_of_a_cylinder) {
    SimSettings settings = in_air(EveryModel::settings());
    settings.dt = 1.0f / 240;
    for (const bool lies_across : {true, false}) {
        const Vec3f axis = lies_across ? Vec3f{1, 0, 0} : Vec3f{0, 1, 0};
        Simulation simulation(strands_of({straight_line({0, 0, 0}, axis, 0.2f, 8)}), settings, {},
                              1);
        const double expected = terminal_speed(lies_across ? across_law : along_law, settings.rod,
                                               static_cast<double>(0.2f));
        kick(simulation.state(), 0, {0, static_cast<float>(-0.9 * expected), 0});
        run(simulation, lies_across ? 0.4 : 1);
        for (int i = 0; i < 8; ++i)
            EXPECT_NEAR(-simulation.state().v.vec3(0, i).y / expected, 1, lies_across ? 0.02 : 0.06)
                << i;
    }
}

// A vertex on a massless arm, by Runge-Kutta steps: the largest angle after the second swing.
double swing_of_cylinder(const RodSettings& rod, double length, double start) {
    const double radius = static_cast<double>(rod.radius);
    const double per_mass =
        kViscosity / (static_cast<double>(rod.density) * M_PI * radius * radius);
    const auto slope = [&](double angle, double rate) {
        const double speed = std::abs(rate) * length + 1e-12;
        return -9.81 / length * std::sin(angle) -
               per_mass * across_law(speed, radius, length) * rate;
    };
    double angle = start, rate = 0, largest = 0;
    const double h = 1e-4;
    for (double time = 0, turns = 0; time < 5 && turns < 5; time += h) {
        const double a1 = slope(angle, rate), r1 = rate;
        const double a2 = slope(angle + h / 2 * r1, rate + h / 2 * a1), r2 = rate + h / 2 * a1;
        const double a3 = slope(angle + h / 2 * r2, rate + h / 2 * a2), r3 = rate + h / 2 * a2;
        const double a4 = slope(angle + h * r3, rate + h * a3), r4 = rate + h * a3;
        const double next = rate + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        angle += h / 6 * (r1 + 2 * r2 + 2 * r3 + r4);
        if (rate * next <= 0 && time > 0) {
            ++turns;
            largest = std::abs(angle);
        }
        rate = next;
    }
    return largest;
}

TEST(slender_drag, pendulum_decays_like_a_cylinder_in_air) {
    for (const float start : {0.02f, 0.4f}) {
        SimSettings settings = in_air(bare_settings());
        settings.hold_roots = true;
        settings.clamp_root = false;
        settings.rod.density = 10 * 1300;  // a hair of keratin hardly swings back
        settings.dt = 1.0f / 1920;
        settings.substeps = 2;
        const SinCos<float> at = sin_cos(start);
        Simulation simulation(strands_of({straight_line({0, 0, 0}, {at.sin, -at.cos, 0}, 0.3f, 2)}),
                              settings, {}, 1);
        double largest = 0, before = 0;
        for (int turns = 0; turns < 5 && simulation.time() < 6;) {
            simulation.step(pool());
            const Vec3f x = simulation.state().x.vec3(0, 1), v = simulation.state().v.vec3(0, 1);
            const double rate = static_cast<double>(v.x);
            if (rate * before < 0) {
                ++turns;
                largest = std::abs(static_cast<double>(atan2(x.x, -x.y)));
            }
            before = rate;
        }
        const double expected =
            swing_of_cylinder(settings.rod, static_cast<double>(0.3f), static_cast<double>(start));
        EXPECT_LT(expected, 0.5 * static_cast<double>(start)) << "drag acts";
        EXPECT_NEAR(largest / expected, 1, 0.03) << start;
    }
}

TEST_P(EveryModel, is_stable_with_slender_drag_on_the_thinnest_strand) {
    SimSettings held = in_air(EveryModel::settings());
    held.hold_roots = true;
    held.rod.radius = 1e-6f;
    World world;
    world.wind.velocity = {20, 0, 0};
    world.wind.turbulence = 10;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 24), {{0, 0, 0}}}),
                          held, world, 1);
    run(simulation, 0.5);
    EXPECT_TRUE(all_finite(simulation.state()));
    EXPECT_EQ(simulation.collect_repaired().first, -1);
}

TEST(slender_drag, rate_follows_the_weight_dial) {
    SimSettings settings = in_air(bare_settings());
    const float plain = slow_damping(settings, 0.2f);
    EXPECT_NEAR(plain, 1.81e-5 / (1300 * M_PI * 1.6e-9) * 4 * M_PI / 8.710, 0.01);
    settings.rod.weight_dial = 1;
    EXPECT_NEAR(slow_damping(settings, 0.2f) / plain, 1 / std::sqrt(10.0), 1e-3);
    settings.drag = DragKind::simple;
    EXPECT_EQ(slow_damping(settings, 0.2f), settings.damping);
}

}  // namespace
}  // namespace ringlet
