// The properties of the model ftl, compared with closed forms or invariants, and its known limits.
#include <gtest/gtest.h>

#include "physics/ftl_lab.h"
#include "test_level.h"

namespace ringlet {
namespace {

using namespace lab;

// A chain without stiffness or drag.
SimSettings chain_settings() {
    SimSettings out = ftl_settings();
    out.damping = 0;
    out.clamp_root = false;
    out.ftl.bend_stiffness = 0;
    out.ftl.bend_damping = 0;
    return out;
}

// Thirty jumps of 0.3 m in the first second, each with a rotation of up to `degrees` per axis.
World jumpy_world(std::uint32_t seed, float degrees) {
    World world;
    Vec3f at{0, 0, 0}, turned{0, 0, 0};
    const auto draw = [&](std::uint32_t k) {
        return Vec3f{counter_signed(seed, k, 0), counter_signed(seed, k, 1),
                     counter_signed(seed, k, 2)};
    };
    for (std::uint32_t k = 0; k < 30; ++k) {
        const float when = static_cast<float>(k) / 30;
        world.head.keys.push_back({when, at, turned});
        at += unit_or(draw(k), Vec3f{0, 1, 0}) * 0.3f;
        turned += draw(k + 100) * degrees;
        world.head.keys.push_back({when + 1e-4f, at, turned});
    }
    return world;
}

TEST(ftl, strand_never_stretches) {
    double worst = 0, nearby = 0;
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
        World world = jumpy_world(seed, 90);
        world.colliders.push_back({.centre = {0, -0.1f, 0.03f}, .radius = 0.05f});
        for (const bool dynamic : {true, false}) {
            SimSettings settings = ftl_settings();
            settings.ftl.dynamic = dynamic;
            Simulation simulation(
                strands_of({curl(), straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 33)}), settings,
                world, 1);
            for (int k = 0; k < 90; ++k) {
                simulation.step(pool());
                worst = std::max(worst, stretch_beyond_rounding(simulation));
            }
        }
    }
    EXPECT_LT(worst, 1e-6);
    // Long segments near the origin, where rounding is negligible.
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.2f, 5)}),
                          chain_settings(), {}, 1);
    for (int k = 0; k < 60; ++k) {
        simulation.step(pool());
        nearby = std::max(nearby, simulation.measure(pool()).max_stretch);
    }
    EXPECT_LT(nearby, 1e-6);
}

TEST(ftl, free_fall_is_exact_to_rounding) {
    for (const float bend_stiffness : {0.0f, 0.2f}) {
        SimSettings settings = ftl_settings();
        settings.damping = 0;
        settings.hold_roots = false;
        settings.ftl.bend_stiffness = bend_stiffness;
        Simulation simulation(strands_of({straight_line({0, 0, 0}, {0.6f, 0, 0.8f}, 0.3f, 20)}),
                              settings, {}, 1);
        const SimState start = simulation.state();
        run(simulation, 1);
        // Semi-implicit Euler: v_n = n h g and x_n = x_0 + h^2 g n (n+1)/2. Stiffness amplifies
        // the rounding of positions 5 m from the origin.
        const double n = 60 * settings.substeps, rounding = bend_stiffness > 0 ? 10 : 1;
        const double h = static_cast<double>(settings.dt / static_cast<float>(settings.substeps));
        const double g = static_cast<double>(settings.gravity.y);
        for (int i = 0; i < 20; ++i) {
            const Vec3d moved = wide(simulation.state().x.vec3(0, i)) - wide(start.x.vec3(0, i));
            EXPECT_NEAR(simulation.state().v.vec3(0, i).y, n * h * g, rounding * 5e-5);
            EXPECT_NEAR(moved.y, h * h * g * n * (n + 1) / 2, rounding * 2e-5);
            EXPECT_LT(std::hypot(moved.x, moved.z), 1e-6);
        }
    }
}

// Angular frequency from the times at which a coordinate passes its rest value upwards.
template <class Sample>
double frequency_of(Simulation& simulation, double seconds, Sample sample) {
    double before = sample(), first = -1, last = -1;
    int periods = -1;
    while (simulation.time() < seconds) {
        const double start = simulation.time();
        simulation.step(pool());
        const double now = sample();
        if (before < 0 && now >= 0) {
            last = start + (simulation.time() - start) * -before / (now - before);
            if (periods++ < 0) first = last;
        }
        before = now;
    }
    return periods < 1 ? 0 : 2 * static_cast<double>(kPi) * periods / (last - first);
}

TEST(ftl, pendulum_of_one_segment_keeps_its_period) {
    const struct {
        double degrees, period;  // over 2 pi sqrt(l/g)
    } rows[] = {{10, 1.00190719}, {45, 1.03997334}, {90, 1.18034060}};
    for (const auto& row : rows) {
        SimSettings settings = chain_settings();
        settings.dt = 1.0f / 960;
        settings.substeps = 8;
        const double angle = row.degrees * static_cast<double>(kPi) / 180;
        const Vec3f aside{static_cast<float>(std::sin(angle)), static_cast<float>(-std::cos(angle)),
                          0};
        Simulation simulation(strands_of({straight_line({0, 0, 0}, aside, 0.2f, 2)}), settings, {},
                              1);
        const double omega =
            frequency_of(simulation, 2.2, [&] { return wide(simulation.state().x.vec3(0, 1)).x; });
        EXPECT_NEAR(std::sqrt(9.81 / 0.2) / omega / row.period, 1, 0.005) << row.degrees;
    }
}

// First frequency of a chain of 16 equal masses and segments, times sqrt(L/g).
double chain_frequency(bool dynamic, float correction) {
    SimSettings settings = chain_settings();
    settings.dt = 1.0f / 960;
    settings.substeps = 2;
    settings.ftl.dynamic = dynamic;
    settings.ftl.correction = correction;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0.0349f, -0.99939f, 0}, 0.3f, 17)}),
                          settings, {}, 1);
    return std::sqrt(0.3 / 9.81) *
           frequency_of(simulation, 5, [&] { return wide(simulation.state().x.vec3(0, 8)).x; });
}

// The exact value is 1.184226. In the static variant each segment swings at its own sqrt(g/l), as
// if each vertex were much heavier than all that follow: sqrt(16) = 4 and more.
TEST(ftl, dynamic_chain_has_the_frequency_of_a_chain_and_a_static_one_has_not) {
    EXPECT_NEAR(chain_frequency(true, 1) / 1.184226, 1, 0.01);
    const double usual = chain_frequency(true, 0.9f) / 1.184226;
    EXPECT_GT(usual, 1.04);  // less than the whole weight acts
    EXPECT_LT(usual, 1.10);
    EXPECT_GT(chain_frequency(false, 1), 4);
}

TEST(ftl, free_chain_keeps_its_momentum_only_with_the_whole_correction) {
    const auto lost = [](bool dynamic, float correction) {
        SimSettings settings = chain_settings();
        settings.gravity = {0, 0, 0};
        settings.hold_roots = false;
        settings.ftl.dynamic = dynamic;
        settings.ftl.correction = correction;
        const std::vector<Vec3f> line = straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 20);
        Simulation simulation(strands_of({line}), settings, {}, 1);
        kick(simulation.state(), 0.3f, {0.3f, -0.2f, 0.5f});
        const Vec3d start = linear_momentum(simulation.state()) * 0.05;
        const auto centre = [&] {
            Vec3d sum;
            for (int i = 0; i < 20; ++i) sum = sum + wide(simulation.state().x.vec3(0, i)) * 0.05;
            return sum;
        };
        run(simulation, 0.5);  // reactions that have not acted yet are momentum too
        const Vec3d before = centre();
        run(simulation, 2);
        return norm((centre() - before) * 0.5 - start) / norm(start);
    };
    EXPECT_LT(lost(true, 1), 0.02);
    EXPECT_LT(lost(true, 0.9f), 0.1);
    EXPECT_GT(lost(false, 1), 0.3);
}

// The largest distance of a vertex from its groomed position.
double drift(const Simulation& simulation, const std::vector<Vec3f>& line) {
    double most = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
        most = std::max(most, norm(wide(simulation.state().x.vec3(0, static_cast<int>(i))) -
                                   wide(apply(simulation.head_pose(), line[i]))));
    return most;
}

TEST(ftl, groomed_shape_rests_under_gravity) {
    for (const auto& line : {curl(), straight_line({0, 0, 0}, {0.8f, 0.6f, 0}, 0.2f, 33)}) {
        World world;
        world.head.keys = {{0, {0, 0.1f, 0}, {20, 30, 10}}};  // gravity in a rotated frame
        SimSettings settings = ftl_settings();
        Simulation simulation(strands_of({line}), settings, world, 1);
        for (int k = 0; k < 600; ++k) {
            simulation.step(pool());
            ASSERT_LT(drift(simulation, line), 1e-5 * 0.2) << k;
        }
        settings.ftl.sag_free = false;
        Simulation sagging(strands_of({line}), settings, world, 1);
        run(sagging, 3);
        EXPECT_GT(drift(sagging, line), 0.01);
    }
}

// Height of a hanging curl, and its mean distance from the axis it was groomed around.
struct CurlShape {
    double height, radius;
};
CurlShape shape_of(const Simulation& simulation) {
    const int count = simulation.state().x.layout().vertex_count(0);
    CurlShape out{wide(simulation.state().x.vec3(0, 0) - simulation.state().x.vec3(0, count - 1)).y,
                  0};
    for (int i = 0; i < count; ++i) {
        const Vec3d x = wide(simulation.state().x.vec3(0, i));
        out.radius += std::hypot(x.x, x.z) / count;
    }
    return out;
}

TEST(ftl, curl_recovers_after_wind_and_is_lost_without_stiffness) {
    for (const float bend_stiffness : {0.2f, 0.0f}) {
        SimSettings settings = ftl_settings();
        settings.ftl.bend_stiffness = bend_stiffness;
        Simulation simulation(strands_of({curl()}), settings, {}, 1);
        const CurlShape groomed = shape_of(simulation);
        kick(simulation.state(), 0.3f, {0, 1, 1});
        double farthest = 0;
        for (int k = 0; k < 180; ++k) {
            simulation.step(pool());
            farthest = std::max(farthest, drift(simulation, curl()));
        }
        const CurlShape now = shape_of(simulation);
        EXPECT_GT(farthest, 0.05);  // it was blown away
        if (bend_stiffness > 0) {
            EXPECT_NEAR(now.height / groomed.height, 1, 0.01);
            EXPECT_NEAR(now.radius / groomed.radius, 1, 0.03);
        } else {
            EXPECT_GT(now.height / groomed.height, 1.5);
        }
    }
}

TEST(ftl, free_curl_keeps_its_shape_while_it_tumbles) {
    SimSettings settings = ftl_settings();
    settings.damping = 0;
    settings.hold_roots = false;
    Simulation simulation(strands_of({curl()}), settings, {}, 1);
    for (int i = 0; i < 56; ++i) {
        const Vec3f x = simulation.state().x.vec3(0, i) + Vec3f{0, 0.17f, 0};
        simulation.state().v.set_vec3(0, i, Vec3f{-x.y, x.x, 0} * 3.0f);
    }
    run(simulation, 1);
    const Channel<3>& x = simulation.state().x;
    // Rotation stretches it slightly.
    EXPECT_NEAR(norm(x.vec3(0, 55) - x.vec3(0, 0)) / 0.34f, 1, 0.15);
}

// How far the tip of a strand clamped horizontally hangs down.
double droop(int substeps) {
    SimSettings settings = ftl_settings();
    settings.damping = 4;
    settings.substeps = substeps;
    settings.ftl.sag_free = false;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.2f, 21)}), settings, {},
                          1);
    run(simulation, 5);
    return -static_cast<double>(simulation.state().x.vec3(0, 20).y);
}

TEST(ftl, stiffness_does_not_depend_on_substeps) {
    const double at8 = droop(8);
    EXPECT_GT(at8, 0.02);  // it does droop: 10 to 90 % of the length
    EXPECT_LT(at8, 0.18);
    EXPECT_NEAR(droop(4) / at8, 1, 1e-3);
    EXPECT_NEAR(droop(16) / at8, 1, 1e-3);
    EXPECT_NEAR(droop(64) / at8, 1, 1e-3);
}

TEST(ftl, bounce_hardly_depends_on_short_substeps) {
    const auto period = [](int substeps) {
        SimSettings settings = ftl_settings();
        settings.dt = 1.0f / 240;
        settings.substeps = substeps;
        Simulation simulation(strands_of({curl()}), settings, {}, 1);
        kick(simulation.state(), 0, {0, 0, 0.3f});
        const double rest = static_cast<double>(curl()[40].z);
        return 2 * static_cast<double>(kPi) / frequency_of(simulation, 1.5, [&] {
                   return wide(simulation.state().x.vec3(0, 40)).z - rest;
               });
    };
    EXPECT_NEAR(period(4) / period(8), 1, 0.05);
}

TEST(ftl, rotating_the_world_rotates_the_result) {
    const Quatf turn = quat_from_axis_angle(unit_or(Vec3f{1, 2, -0.5f}, Vec3f{0, 1, 0}), 1.1f);
    std::vector<Vec3f> turned;
    for (const Vec3f& x : curl()) turned.push_back(rotate(turn, x));
    SimSettings settings = ftl_settings();
    settings.ftl.sag_free = false;
    World world;
    world.colliders.push_back({.centre = {0.01f, -0.2f, 0}, .radius = 0.05f, .attached = false});
    Simulation plain(strands_of({curl()}), settings, world, 1);
    settings.gravity = rotate(turn, settings.gravity);
    world.colliders[0].centre = rotate(turn, world.colliders[0].centre);
    Simulation other(strands_of({turned}), settings, world, 1);
    run(plain, 0.5);
    run(other, 0.5);
    for (int i = 0; i < 56; ++i)
        EXPECT_LT(norm(rotate(turn, plain.state().x.vec3(0, i)) - other.state().x.vec3(0, i)),
                  1e-5f);
    EXPECT_GT(drift(plain, curl()), 0.01);  // the sphere and gravity did something
}

TEST(ftl, teleports_and_spins_stay_finite) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        Simulation simulation(strands_of({curl(), straight_line({0, 0, 0}, {1, 0, 0}, 0.3f, 33)}),
                              ftl_settings(), jumpy_world(seed, 90), 1);
        for (int k = 0; k < 180; ++k) {
            simulation.step(pool());
            ASSERT_TRUE(all_finite(simulation.state())) << "seed " << seed << ", step " << k;
        }
        EXPECT_LT(simulation.collect_repaired().first, 0) << seed;
    }
}

TEST(ftl, curl_recovers_from_teleports) {
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
        Simulation simulation(strands_of({curl()}), ftl_settings(), jumpy_world(seed, 0), 1);
        run(simulation, 4);
        EXPECT_LT(drift(simulation, curl()), 0.005) << seed;
    }
}

TEST(ftl, broken_numbers_and_odd_strands_stay_finite) {
    const Vec3f o{0.1f, 0.2f, 0.3f};
    const std::vector<std::vector<Vec3f>> lines = {
        straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 10),
        straight_line({1, 0, 0}, {0, -1, 0}, 0.3f, 10),
        {o},
        {o, o},
        {o, o, o, o, o},
        {o, o + Vec3f{0, -0.1f, 0}, o},
        {o, o + Vec3f{0, -0.01f, 0}, o + Vec3f{0, -0.01f, 0}, o + Vec3f{0, -0.02f, 0}},
        straight_line(o, {0, 1, 0}, 1e-7f, 9),
        straight_line(o, {0, 1, 0}, 5, 65)};
    World world;
    world.colliders.push_back({.centre = o, .radius = 0.15f});
    world.colliders.push_back(
        {.shape = ColliderShape::capsule, .centre = o, .end = o, .radius = 0});
    for (const bool holds : {true, false})
        for (const bool clamps : {true, false}) {
            SimSettings settings = ftl_settings();
            settings.hold_roots = holds;
            settings.clamp_root = clamps;
            settings.dt = 1.0f / 480;
            settings.substeps = 1;
            Simulation simulation(strands_of(lines), settings, world, 1);
            run(simulation, 1);
            EXPECT_TRUE(all_finite(simulation.state()));
            EXPECT_LT(simulation.collect_repaired().first, 0);
            simulation.state().v.set_vec3(1, 4, {INFINITY, NAN, -1e30f});
            simulation.state().x.set_vec3(1, 6, {NAN, 0, 0});
            simulation.state().x.set_vec3(1, 8, {1e30f, 0, -1e30f});
            simulation.step(pool());
            EXPECT_LT(stretch_beyond_rounding(simulation), 1e-6);
            run(simulation, 1);
            EXPECT_TRUE(all_finite(simulation.state()));
            EXPECT_EQ(simulation.collect_repaired(), (std::pair{1, 4}));
            EXPECT_LT(simulation.collect_repaired().first, 0);  // reported once
            EXPECT_LT(stretch_beyond_rounding(simulation), 1e-6);
        }
}

// Strands of many lengths in one block, shaken over a sphere and a plane.
std::string hash_of_run(LaneKind lanes) {
    World world;
    world.head.motion = MotionKind::shake;
    world.colliders.push_back({.centre = {0, -0.15f, 0.02f}, .radius = 0.05f});
    world.colliders.push_back(
        {.shape = ColliderShape::plane, .centre = {0, -0.2f, 0}, .attached = false});
    std::vector<std::vector<Vec3f>> lines;
    for (int k = 0; k < 19; ++k) {
        const float side = 0.01f * static_cast<float>(k);
        lines.push_back(k % 2 ? helix({side, 0, 0}, 0.01f, 0.04f, 0.2f, 20 + k)
                              : straight_line({-side, 0, 0}, {0, -1, 0}, 0.25f, 2 + k));
    }
    Simulation simulation(strands_of(lines), ftl_settings(), world, 1, lanes);
    run(simulation, kSanitized ? 0.2 : 1);
    EXPECT_TRUE(all_finite(simulation.state()));
    return hash_of(simulation.state().x, simulation.state().v).hex();
}

TEST(ftl, every_kind_of_lane_gives_the_same_bits) {
    const std::string scalar = hash_of_run(LaneKind::scalar);
    EXPECT_EQ(hash_of_run(LaneKind::wide8), scalar);
    EXPECT_EQ(hash_of_run(LaneKind::avx2), scalar);
}

TEST(ftl, strand_moves_the_same_alone_and_beside_longer_ones) {
    const auto run_of = [](const std::vector<std::vector<Vec3f>>& lines) {
        World world;
        world.head.motion = MotionKind::shake;
        world.colliders.push_back({.centre = {0, -0.1f, 0.02f}, .radius = 0.05f});
        Simulation simulation(strands_of(lines), ftl_settings(), world, 1);
        run(simulation, 1);
        std::vector<Vec3f> out;
        for (int i = 0; i < 10; ++i) out.push_back(simulation.state().x.vec3(0, i));
        return out;
    };
    const std::vector<Vec3f> line = helix({0, 0, 0}, 0.01f, 0.04f, 0.1f, 10);
    const std::vector<Vec3f> alone = run_of({line});
    const std::vector<Vec3f> with_others =
        run_of({line, straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 33), {{0, 0, 0}}});
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(norm(alone[i] - with_others[i]), 0) << i;
}

TEST(ftl, a_force_moves_light_strands_more) {
    const auto moved = [](float mass) {
        SimSettings settings = ftl_settings();
        settings.gravity = {0, 0, 0};
        settings.damping = 0;
        settings.hold_roots = false;
        settings.force = {0.1f, 0, 0};
        settings.ftl.mass = mass;
        Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 10)}),
                              settings, {}, 1);
        run(simulation, 1);
        return static_cast<double>(simulation.state().v.vec3(0, 5).x);
    };
    EXPECT_NEAR(moved(0.5f), 0.2, 1e-4);
    EXPECT_NEAR(moved(0.25f), 0.4, 1e-4);
}

}  // namespace
}  // namespace ringlet
