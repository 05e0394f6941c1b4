// The properties of the model spring, compared with closed forms or invariants.
#include <gtest/gtest.h>

#include "sim/kernels/smoothed_curve.h"
#include "sim/models/registry.h"
#include "test_level.h"
#include "validate/lab.h"

namespace ringlet {
namespace {

using namespace lab;

SimSettings spring_settings() {
    SimSettings out;
    out.model = model_named("spring");
    out.damping = 0;
    return out;
}

SimSettings undamped_settings() {
    SimSettings out = spring_settings();
    out.spring.stretch_damping = out.spring.bend_damping = out.spring.core_damping = 0;
    return out;
}

// A curl of 0.4 m of hair, 0.2 m long.
std::vector<Vec3f> curl(int vertices = 41) {
    return helix({-0.01f, 0, 0}, 0.01f, 0.036f, 0.2f, vertices);
}
constexpr double kCurlLength = 0.4;

TEST(smoothed_curve, smoothed_helix_is_nearly_its_axis) {
    // Smoothing over the length a scales waves of wave number k by 1/(1 + (k a)^2): this helix,
    // with a turn in 0.0725 m, keeps a tenth of its radius of 0.01 m at a = 0.035 m.
    const std::vector<Vec3f> line = curl(401);
    const float l = norm(line[1] - line[0]), beta = 1 - exp(-l / 0.035f);
    Smoothed<float> smooth(line[1] - line[0]);
    Vec3f point = line[0];
    double least = 1, most = 0;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        point += smooth.next(line[i + 1] - line[i], beta);
        if (i < 250) continue;  // skips the transient at the start
        // The axis is vertical; measures the radius over a few turns.
        const double out = std::sqrt(static_cast<double>(point.x * point.x + point.z * point.z));
        least = std::min(least, out);
        most = std::max(most, out);
    }
    EXPECT_LT(0.5 * (most - least), 0.1 * 0.01);
}

TEST(smoothed_curve, back_is_the_transpose) {
    constexpr std::size_t count = 9;
    const auto draw = [](std::uint32_t id, std::uint32_t what) {
        return Vec3f{counter_signed(3, id, what), counter_signed(3, id, what + 1),
                     counter_signed(3, id, what + 2)};
    };
    const auto beta = [](std::size_t i) { return 0.1f + 0.08f * static_cast<float>(i); };
    Smoothed<float> there(draw(0, 0));
    double over = 0, under = 0;  // f.(S e) and (S^T f).e
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t id = static_cast<std::uint32_t>(i);
        over += static_cast<double>(dot(draw(id, 10), there.next(draw(id, 0), beta(i))));
    }
    SmoothedBack<float> back;
    for (std::size_t i = count; i-- > 0;) {
        const std::uint32_t id = static_cast<std::uint32_t>(i);
        const Vec3f f = draw(id, 10);
        under +=
            static_cast<double>(dot(draw(id, 0), i > 0 ? back.next(f, beta(i)) : back.last(f)));
    }
    EXPECT_NEAR(over, under, 1e-6);
}

// The rotation (rad) of the frame at the tip of a helix about its axis when the helix is extended
// by a tenth at constant length of hair.
double tip_spin(float smoothing) {
    double angle[2];
    for (int pulled = 0; pulled < 2; ++pulled) {
        const float height = pulled ? 0.22f : 0.2f, hair = 0.4f, turns = 5;
        const float radius = sqrt(hair * hair - height * height) / (2 * kPi * turns);
        std::vector<Vec3f> line = helix({0, 0, 0}, radius, height / turns, height, 401);
        const float l = hair / 400, beta = 1 - exp(-l / smoothing);
        const Vec3f first = (line[1] - line[0]) * (1 / l);
        Smoothed<float> smooth(first);
        CurveFrame<float> frame{Vec3f{0, -1, 0}, Vec3f{1, 0, 0}};
        frame.travel(first);
        for (std::size_t i = 0; i + 1 < line.size(); ++i)
            frame.travel(smooth.next((line[i + 1] - line[i]) * (1 / l), beta));
        frame.travel({0, -1, 0});
        angle[pulled] = static_cast<double>(atan2(frame.normal.z, frame.normal.x));
    }
    const double turn = std::abs(angle[1] - angle[0]), whole = 2 * static_cast<double>(kPi);
    return std::min(turn, whole - turn);
}

TEST(smoothed_curve, frames_do_not_spin_with_the_curl) {
    EXPECT_GT(tip_spin(1e-5f), 1);  // without smoothing: more than ten degrees per turn
    EXPECT_LT(tip_spin(0.05f), 0.2);
}

Vec3d momentum(const SimState& state, int strand = 0) {
    Vec3d sum;
    const int last = state.v.layout().vertex_count(strand) - 1;
    for (int i = 0; i <= last; ++i)
        sum = sum + wide(state.v.vec3(strand, i)) * (i == 0 || i == last ? 0.5 : 1);
    return sum;
}

TEST(spring, free_strand_keeps_linear_momentum) {
    SimSettings settings = spring_settings();
    settings.gravity = {0, 0, 0};
    settings.hold_roots = false;
    Simulation simulation(strands_of({curl(33)}), settings, {}, 1);
    kick(simulation.state(), 0.3f, {0.7f, -0.4f, 0.2f});
    const Vec3d before = momentum(simulation.state());
    run(simulation, 2);
    EXPECT_LT(norm(momentum(simulation.state()) - before), 1e-6 * norm(before));
}

TEST(spring, free_strand_falls_freely) {
    SimSettings settings = spring_settings();
    settings.hold_roots = false;
    const StrandSet rest = strands_of({curl()});
    Simulation simulation(rest, settings, {}, 1);
    run(simulation, 0.5);
    for (int i = 0; i < 41; ++i) {
        const Vec3d fallen = wide(simulation.state().x.vec3(0, i)) - wide(rest.position.vec3(0, i));
        EXPECT_NEAR(fallen.y, -0.5 * 9.81 * 0.25, 0.004) << i;  // the error of half a substep
        EXPECT_NEAR(fallen.x, 0, 1e-5) << i;
        EXPECT_NEAR(wide(simulation.state().v.vec3(0, i)).y, -9.81 * 0.5, 1e-3) << i;
    }
}

TEST(spring, pendulum_swings_in_its_period) {
    SimSettings settings = undamped_settings();
    settings.clamp_root = false;
    settings.dt = 1.0f / 960;
    settings.substeps = 2;
    constexpr double length = 0.25;
    const SinCos<float> start = sin_cos(10 * kPi / 180);
    Simulation simulation(
        strands_of({straight_line({0, 0, 0}, {start.sin, -start.cos, 0}, 0.25f, 2)}), settings, {},
        1);
    double before = 1, first = -1, last = -1;
    int periods = -1;
    while (simulation.time() < 8) {
        simulation.step(pool());
        const double now = wide(simulation.state().x.vec3(0, 1)).x;
        if (before < 0 && now >= 0) {
            last = simulation.time() - static_cast<double>(settings.dt) * now / (now - before);
            if (periods++ < 0) first = last;
        }
        before = now;
    }
    const double t0 = 2 * static_cast<double>(kPi) * std::sqrt(length / 9.81);
    EXPECT_NEAR((last - first) / periods / t0, 1.00190719, 0.001);
}

// The largest distance of a vertex from its groomed position, over the length of the strand.
double drift(const Simulation& simulation, const StrandSet& rest, double length) {
    double most = 0;
    for (int i = 0; i < rest.layout->vertex_count(0); ++i)
        most = std::max(most, norm(wide(simulation.state().x.vec3(0, i)) -
                                   wide(apply(simulation.head_pose(), rest.position.vec3(0, i)))));
    return most / length;
}

TEST(spring, groomed_shape_rests_under_gravity) {
    const struct {
        const char* name;
        std::vector<Vec3f> line;
        double length;
    } grooms[] = {{"curl", curl(), kCurlLength},
                  {"horizontal", straight_line({0, 0, 0}, {1, 0, 0}, 0.15f, 17), 0.15},
                  {"slanting", straight_line({0, 0, 0}, {0.6f, 0.48f, 0.64f}, 0.1f, 17), 0.1}};
    for (const auto& groom : grooms) {
        World world;
        world.head.keys = {
            {0, {0, 0.1f, 0}, {0, 30, 0}}};  // a rotated head: gravity changes in its frame
        const StrandSet rest = strands_of({groom.line});
        Simulation simulation(rest, spring_settings(), world, 1);
        run(simulation, 10);
        EXPECT_LT(drift(simulation, rest, groom.length), 1e-5) << groom.name;
    }
}

TEST(spring, sags_without_a_sag_free_start) {
    SimSettings settings = spring_settings();
    settings.spring.sag_free = false;
    const StrandSet rest = strands_of({curl()});
    Simulation simulation(rest, settings, {}, 1);
    run(simulation, 1);
    EXPECT_GT(drift(simulation, rest, kCurlLength), 1e-3);
}

// Bending without its reaction on the curve, or damping in one direction only, would add energy.
TEST(spring, kicked_curl_never_gains_energy) {
    SimSettings settings = undamped_settings();
    settings.gravity = {0, 0, 0};
    for (const float smoothing : {0.001f, 0.03f})
        for (const float damping : {0.0f, 0.02f}) {
            settings.spring.bend_smoothing = smoothing;
            settings.spring.bend_damping = damping;
            Simulation simulation(strands_of({curl()}), settings, {}, 1);
            kick(simulation.state(), 0.5f);
            const double start = kinetic_energy(simulation.state());
            double most = 0;
            for (int k = 0; k < 180; ++k) {
                simulation.step(pool());
                most = std::max(most, kinetic_energy(simulation.state()));
            }
            // The springs are at rest in the groomed shape.
            EXPECT_LT(most, start) << smoothing << ", " << damping;
        }
}

// The largest height of a curl while the head jerks upwards, over its groomed height.
double longest_when_yanked(float core_stiffness) {
    SimSettings settings = spring_settings();
    settings.spring.core_stiffness = core_stiffness;
    settings.spring.core_damping = 0;
    World world;
    world.head.keys = {{0, {0, 0, 0}, {0, 0, 0}}, {0.1f, {0, 0.3f, 0}, {0, 0, 0}}};
    Simulation simulation(strands_of({curl()}), settings, world, 1);
    double longest = 0;
    for (int k = 0; k < 40; ++k) {
        simulation.step(pool());
        const SimState& state = simulation.state();
        longest = std::max(longest, wide(state.x.vec3(0, 0)).y - wide(state.x.vec3(0, 40)).y);
    }
    return longest / 0.2;
}

TEST(spring, core_keeps_a_curl_from_unwinding) {
    const double without = longest_when_yanked(0), with = longest_when_yanked(200);
    EXPECT_GT(without, 1.2);
    EXPECT_LT(with - 1, 0.7 * (without - 1));
}

double droop(float dt, int substeps) {
    SimSettings settings = spring_settings();
    settings.spring.sag_free = false;
    settings.dt = dt;
    settings.substeps = substeps;
    settings.damping = 4;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.3f, 33)}), settings, {},
                          1);
    run(simulation, 6);
    const Vec3d tip = wide(simulation.state().x.vec3(0, 32));
    return -tip.y / tip.x;
}

TEST(spring, droop_does_not_depend_on_steps) {
    const double once = droop(1.0f / 60, 1);
    EXPECT_GT(once, 0.05);
    EXPECT_NEAR(droop(1.0f / 60, 8) / once, 1, 1e-3);
    EXPECT_NEAR(droop(1.0f / 24, 2) / once, 1, 1e-3);
    EXPECT_NEAR(droop(1.0f / 240, 4) / once, 1, 1e-3);
}

TEST(spring, droop_hardly_depends_on_vertex_count) {
    const auto tip_height = [](int vertices) {
        SimSettings settings = spring_settings();
        settings.spring.sag_free = false;
        settings.damping = 4;
        Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.3f, vertices)}),
                              settings, {}, 1);
        run(simulation, 5);
        return wide(simulation.state().x.vec3(0, vertices - 1)).y;
    };
    // The head holds one segment, so the free part is shorter by that.
    EXPECT_NEAR(tip_height(64) / tip_height(32), 1, 0.1);
}

TEST(spring, rotating_the_world_rotates_the_result) {
    const Quatf turn = quat_from_axis_angle(unit_or(Vec3f{1, 2, -0.5f}, Vec3f{0, 1, 0}), 1.1f);
    std::vector<Vec3f> turned;
    for (const Vec3f& x : curl()) turned.push_back(rotate(turn, x));
    SimSettings settings = spring_settings();
    settings.spring.sag_free = false;
    settings.damping = 2;
    Simulation plain(strands_of({curl()}), settings, {}, 1);
    settings.gravity = rotate(turn, settings.gravity);
    Simulation other(strands_of({turned}), settings, {}, 1);
    run(plain, 1);
    run(other, 1);
    for (int i = 0; i < 41; ++i)
        EXPECT_LT(norm(rotate(turn, plain.state().x.vec3(0, i)) - other.state().x.vec3(0, i)),
                  1e-4f * 0.2f)
            << i;
}

// A second of jumps and rotations of the head, then a second of rest.
World wild_head(std::uint32_t seed) {
    World world;
    Vec3f at{0, 0, 0}, turn{0, 0, 0};
    for (std::uint32_t k = 0; k < 12; ++k) {
        const float when = static_cast<float>(k) / 12;
        const auto draw = [&](std::uint32_t what) { return counter_signed(seed, k, what); };
        world.head.keys.push_back({when, at, turn});
        at += Vec3f{draw(0), draw(1), draw(2)} * 0.3f;
        turn = {180 * draw(3), 180 * draw(4), 180 * draw(5)};
        world.head.keys.push_back({when + (k % 2 ? 1e-4f : 0.05f), at, turn});
    }
    return world;
}

void stays_sane(SimSettings settings, float dt, const std::string& what) {
    settings.dt = dt;
    settings.substeps = dt > 1.0f / 100 ? 2 : 1;
    Simulation simulation(strands_of({curl(200),
                                      curl(20),
                                      straight_line({0, 0, 0}, {0, 1, 0}, 0.01f, 30),
                                      straight_line({0, 0, 0}, {1, 0, 0}, 2, 40),
                                      straight_line({0, 0, 0}, {1, 0, 0}, 0.3f, 2),
                                      {{0, 0, 0}}}),
                          settings, wild_head(5), 1);
    run(simulation, 2);
    EXPECT_TRUE(all_finite(simulation.state())) << what;
    EXPECT_LT(simulation.collect_repaired().first, 0) << what;
    EXPECT_LT(simulation.measure(pool()).max_stretch, 0.01) << what;
}

TEST(spring, violent_head_motion_stays_finite_at_any_stiffness_and_step) {
    RINGLET_TEST_FROM(full);
    for (const float scale : {1e-3f, 1.0f, 1e3f})
        for (const float dt : {1.0f / 24, 1.0f / 60, 1.0f / 960}) {
            SimSettings settings = spring_settings();
            settings.spring.stretch_stiffness *= scale;
            settings.spring.bend_stiffness *= scale;
            settings.spring.core_stiffness *= scale;
            settings.spring.max_steps = 16;
            const std::string what =
                "stiffness x " + std::to_string(scale) + ", dt " + std::to_string(dt);
            stays_sane(settings, dt, what);
            if (dt < 1.0f / 100) continue;
            settings.spring.stretch_damping *= 1e4f;
            settings.spring.bend_damping *= 1e4f;
            settings.spring.core_damping *= 1e4f;
            stays_sane(settings, dt, what + ", damped");
        }
}

TEST(spring, strand_without_stretch_springs_hangs_still_on_its_limit) {
    SimSettings settings = undamped_settings();
    settings.spring.stretch_stiffness = 0;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 20)}), settings,
                          {}, 1);
    run(simulation, 1);
    for (int i = 0; i < 20; ++i) EXPECT_LT(norm(simulation.state().v.vec3(0, i)), 0.01f) << i;
    EXPECT_NEAR(simulation.measure(pool()).max_stretch, 0.005, 5e-4);
}

TEST(spring, broken_numbers_and_odd_strands_stay_finite) {
    for (const bool is_held : {true, false}) {
        SimSettings settings = spring_settings();
        settings.hold_roots = is_held;
        Simulation simulation(
            strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 10),
                        straight_line({1, 0, 0}, {0, -1, 0}, 0.3f, 10),
                        {{0, 0, 0}},
                        {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                        {{0, 0, 0}, {0, -0.01f, 0}, {0, -0.01f, 0}, {0, -0.02f, 0}},
                        {{0, 0, 0}, {0, -0.01f, 0}, {0, 0, 0}, {0, -0.01f, 0}},
                        straight_line({0, 0, 0}, {0, 1, 0}, 1e-4f, 20)}),
            settings, {}, 1);
        run(simulation, 1);
        EXPECT_TRUE(all_finite(simulation.state()));
        EXPECT_LT(simulation.collect_repaired().first, 0);
        simulation.state().v.set_vec3(1, 4, {INFINITY, NAN, -1e30f});
        run(simulation, 0.5);
        EXPECT_TRUE(all_finite(simulation.state()));
        EXPECT_EQ(simulation.collect_repaired().first, 1);
        EXPECT_LT(simulation.collect_repaired().first, 0);  // reported once
        // Strands in free fall are where float does not resolve a hundredth of 5e-6 m.
        if (is_held) {
            EXPECT_LT(simulation.measure(pool()).max_stretch, 0.01);
        }
    }
}

// Strands of many lengths in one block, shaken over a sphere.
std::string hash_of_run(LaneKind lanes, bool is_held) {
    SimSettings settings = spring_settings();
    settings.hold_roots = is_held;
    World world;
    world.head.motion = MotionKind::shake;
    world.colliders.push_back({.centre = {0, -0.15f, 0.02f}, .radius = 0.05f});
    std::vector<std::vector<Vec3f>> lines;
    for (int k = 0; k < 19; ++k) {
        const float side = 0.01f * static_cast<float>(k);
        lines.push_back(k % 2 ? helix({side, 0, 0}, 0.01f, 0.04f, 0.2f, 20 + k)
                              : straight_line({-side, 0, 0}, {0, -1, 0}, 0.25f, 2 + k));
    }
    Simulation simulation(strands_of(lines), settings, world, 1, lanes);
    run(simulation, kSanitized || test_level() == TestLevel::quick ? 0.1 : 0.5);
    EXPECT_TRUE(all_finite(simulation.state()));
    return hash_of(simulation.state().x, simulation.state().v).hex();
}

TEST(spring, every_kind_of_lane_gives_the_same_bits) {
    for (const bool is_held : {true, false}) {
        const std::string scalar = hash_of_run(LaneKind::scalar, is_held);
        EXPECT_EQ(hash_of_run(LaneKind::wide8, is_held), scalar);
        EXPECT_EQ(hash_of_run(LaneKind::avx2, is_held), scalar);
    }
}

TEST(spring, strand_moves_the_same_alone_and_beside_longer_ones) {
    const auto run_of = [](const std::vector<std::vector<Vec3f>>& lines) {
        SimSettings settings = spring_settings();
        settings.spring.max_steps = 3;  // all strands share the number of steps: keep it constant
        World world;
        world.head.motion = MotionKind::shake;
        Simulation simulation(strands_of(lines), settings, world, 1);
        run(simulation, 1);
        std::vector<Vec3f> out;
        for (int i = 0; i < 10; ++i) out.push_back(simulation.state().x.vec3(0, i));
        return out;
    };
    const std::vector<Vec3f> line = helix({0, 0, 0}, 0.005f, 0.02f, 0.02f, 10);
    const std::vector<Vec3f> alone = run_of({line});
    const std::vector<Vec3f> with_others =
        run_of({line, straight_line({0, 0, 0}, {0, -1, 0}, 0.1f, 33), {{0, 0, 0}}});
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(norm(alone[i] - with_others[i]), 0) << i;
}

// The distance that a straight strand slides down a slope from 0.2 s to 1.2 s; the slope is `share`
// times the friction angle.
double slide(double share) {
    SimSettings settings = spring_settings();
    settings.hold_roots = false;
    settings.collision_radius = 0;
    const float angle = static_cast<float>(share) * atan2(0.4f, 1.0f);
    const SinCos<float> slope = sin_cos(angle);
    World world;
    world.colliders.push_back(
        {.shape = ColliderShape::plane, .normal = {slope.sin, slope.cos, 0}, .friction = 0.4f});
    Simulation simulation(
        strands_of({straight_line({0, 0, 0}, {slope.cos, -slope.sin, 0}, 0.2f, 20)}), settings,
        world, 1);
    run(simulation, 0.2);
    const Vec3d before = wide(simulation.state().x.vec3(0, 10));
    run(simulation, 1);
    return norm(wide(simulation.state().x.vec3(0, 10)) - before);
}

TEST(spring_contact, strand_sticks_on_a_slope_below_the_friction_angle) {
    EXPECT_LT(slide(0.97), 1e-4);
    // Above the friction angle, a = g (sin - mu cos).
    const double angle = 1.1 * std::atan(0.4);
    const double want =
        0.5 * (1.2 * 1.2 - 0.2 * 0.2) * 9.81 * (std::sin(angle) - 0.4 * std::cos(angle));
    EXPECT_NEAR(slide(1.1) / want, 1, 0.03);
}

TEST(spring_contact, strand_falling_on_a_sphere_stays_outside) {
    SimSettings settings = spring_settings();
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
    EXPECT_LT(stretch, 0.0051);
}

}  // namespace
}  // namespace ringlet
