// What the model rod promises, each against a closed form or an invariant.
#include <gtest/gtest.h>

#include "physics/strand_lab.h"
#include "sim/models/registry.h"

namespace ringlet {
namespace {

using namespace lab;

SimSettings rod_settings() {
    SimSettings out;
    for (std::size_t k = 0; k < all_models().size(); ++k)
        if (std::string(all_models()[k].name) == "rod") out.model = static_cast<int>(k);
    out.substeps = 2;
    out.damping = 0;
    return out;
}

// Gamma = rho g A L^3 / EI = 4 rho g L^3 / (E r^2).
void set_gamma(SimSettings& settings, double gamma, double length) {
    const auto wide_of = [](float a) { return static_cast<double>(a); };
    const double r = wide_of(settings.rod.radius);
    settings.rod.youngs_modulus =
        static_cast<float>(4 * wide_of(settings.rod.density) * -wide_of(settings.gravity.y) *
                           length * length * length / (gamma * r * r));
}

constexpr int kSegments = 32;
constexpr float kLength = 0.3f;

// Drop over reach of a cantilever at rest, and its largest stretch.
struct Droop {
    double h_over_w, stretch;
};
Droop droop(double gamma, float dt, int substeps = 1, int solves = 2) {
    SimSettings settings = rod_settings();
    settings.rod.sag_free = false;
    settings.dt = dt;
    settings.substeps = substeps;
    settings.rod.solves = solves;
    settings.damping = 6;
    settings.rod.damping = 0.02f;
    set_gamma(settings, gamma, static_cast<double>(kLength));
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, kLength, kSegments + 1)}),
                          settings, {}, 1);
    run(simulation, 6);
    const Vec3d tip = wide(simulation.state().x.vec3(0, kSegments));
    return {-tip.y / tip.x, simulation.measure(pool()).max_stretch};
}

struct Elastica {
    double gamma, continuum, discrete;  // H/W: elastica.csv, and elastica_discrete.csv for N = 32
};
constexpr Elastica kElastica[] = {
    {1, 0.124562, 0.12468334}, {10, 1.066802, 1.06798469}, {100, 5.888105, 5.91833392}};

TEST(rod, cantilever_droops_as_the_elastica_at_any_step) {
    for (const Elastica& want : kElastica) {
        double first = 0;
        for (const float dt : {1.0f / 60, 1.0f / 240, 1.0f / 960}) {
            SCOPED_TRACE(testing::Message() << "Gamma " << want.gamma << ", dt " << dt);
            const Droop got = droop(want.gamma, dt);
            EXPECT_NEAR(got.h_over_w / want.continuum, 1, 0.01);
            EXPECT_NEAR(got.h_over_w / want.discrete, 1, 1e-4);
            EXPECT_LT(got.stretch, 1e-5);
            if (first == 0) first = got.h_over_w;
            EXPECT_NEAR(got.h_over_w / first, 1, 1e-3);
        }
    }
}

TEST(rod, droop_does_not_depend_on_solves_or_substeps) {
    const double once = droop(10, 1.0f / 60, 2, 1).h_over_w;
    EXPECT_NEAR(droop(10, 1.0f / 60, 1, 2).h_over_w / once, 1, 1e-4);
    EXPECT_NEAR(droop(10, 1.0f / 60, 4, 3).h_over_w / once, 1, 1e-4);
}

// The largest distance of a vertex from where it was groomed, in lengths of the strand.
double drift(const Simulation& simulation, const StrandSet& rest, double length) {
    double most = 0;
    for (int i = 0; i < rest.layout->vertex_count(0); ++i)
        most = std::max(most, norm(wide(simulation.state().x.vec3(0, i)) -
                                   wide(apply(simulation.head_pose(), rest.position.vec3(0, i)))));
    return most / length;
}

TEST(rod, groomed_shape_rests_under_gravity) {
    // Arc lengths: 0.2 m of helix at 2 pi 0.01 m per 0.04 m of pitch is 0.372 m.
    const struct {
        const char* name;
        std::vector<Vec3f> line;
        double length;
    } grooms[] = {{"helix", helix({-0.01f, 0, 0}, 0.01f, 0.04f, 0.2f, 65), 0.372},
                  {"horizontal", straight_line({0, 0, 0}, {1, 0, 0}, 0.08f, 33), 0.08},
                  {"slanting", straight_line({0, 0, 0}, {0.6f, 0.48f, 0.64f}, 0.08f, 17), 0.08}};
    for (const auto& groom : grooms) {
        SimSettings settings = rod_settings();
        World world;
        world.head.keys = {{0, {0, 0.1f, 0}, {0, 30, 0}}};  // a turned head: gravity in its frame
        const StrandSet rest = strands_of({groom.line});
        Simulation simulation(rest, settings, world, 1);
        run(simulation, 10);
        EXPECT_LT(drift(simulation, rest, groom.length), 1e-5) << groom.name;
    }
}

TEST(rod, sags_without_a_sag_free_start) {
    SimSettings settings = rod_settings();
    settings.rod.sag_free = false;
    const StrandSet rest = strands_of({helix({-0.01f, 0, 0}, 0.01f, 0.04f, 0.2f, 65)});
    Simulation simulation(rest, settings, {}, 1);
    run(simulation, 3);
    EXPECT_GT(drift(simulation, rest, 0.372), 0.01);
}

// Of a strand of equal segments: kinetic and gravity, over its weight times its length.
double energy_without_bending(const Simulation& simulation, int segments, double length) {
    double sum = 0;
    for (int i = 1; i <= segments; ++i) {
        const double mass = (i == segments ? 0.5 : 1.0) / segments;
        const double speed = norm(wide(simulation.state().v.vec3(0, i)));
        sum += mass * (0.5 * speed * speed + 9.81 * wide(simulation.state().x.vec3(0, i)).y);
    }
    return sum / (9.81 * length);
}

TEST(rod, free_swing_never_gains_energy) {
    for (const bool is_soft : {true, false}) {
        SimSettings settings = rod_settings();
        settings.rod.sag_free = false;
        settings.clamp_root = false;
        settings.substeps = 4;
        // Soft: bending stores next to nothing, so every step may be held against the last.
        if (is_soft) settings.rod.youngs_modulus = 1e5f;
        Simulation simulation(
            strands_of({straight_line({0, 0, 0}, {1, 0, 0}, kLength, kSegments + 1)}), settings, {},
            1);
        double least = energy_without_bending(simulation, kSegments, 0.3), worst = -1;
        const double start = least;
        for (int k = 0; k < 600; ++k) {
            simulation.step(pool());
            const double now = energy_without_bending(simulation, kSegments, 0.3);
            worst = std::max(worst, now - (is_soft ? least : start));
            least = std::min(least, now);
        }
        EXPECT_LT(worst, 1e-4) << (is_soft ? "soft" : "hair");
        EXPECT_LT(simulation.measure(pool()).max_stretch, 1e-3);
    }
}

TEST(rod, teleports_of_the_head_stay_finite_and_recover) {
    double worst = 0;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        SimSettings settings = rod_settings();
        World world;
        Vec3f at{0, 0, 0};
        for (std::uint32_t k = 0; k < 30; ++k) {  // a jump every 1/30 s for a second, then still
            const float when = static_cast<float>(k) / 30;
            world.head.keys.push_back({when, at, {0, 0, 0}});
            at += unit_or(Vec3f{counter_signed(seed, k, 0), counter_signed(seed, k, 1),
                                counter_signed(seed, k, 2)},
                          Vec3f{0, 1, 0}) *
                  0.3f;
            world.head.keys.push_back({when + 1e-4f, at, {0, 0, 0}});
        }
        Simulation simulation(strands_of({helix({0, 0, 0}, 0.01f, 0.04f, 0.2f, 33)}), settings,
                              world, 1);
        for (int k = 0; k < 120; ++k) {
            simulation.step(pool());
            ASSERT_TRUE(all_finite(simulation.state())) << "seed " << seed << ", step " << k;
        }
        EXPECT_LT(simulation.take_repaired().first, 0) << seed;
        worst = std::max(worst, simulation.measure(pool()).max_stretch);
    }
    EXPECT_LT(worst, 0.01);
}

TEST(rod, shaken_hair_hardly_stretches) {
    SimSettings settings = rod_settings();
    settings.damping = 1;
    World world;
    world.head.motion = MotionKind::shake;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 33),
                                      helix({0, 0, 0}, 0.01f, 0.04f, 0.2f, 33)}),
                          settings, world, 1);
    double worst = 0;
    for (int k = 0; k < 300; ++k) {
        simulation.step(pool());
        worst = std::max(worst, simulation.measure(pool()).max_stretch);
    }
    EXPECT_LT(worst, 0.005);
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
    return 2 * static_cast<double>(kPi) * periods / (last - first);
}

TEST(rod, hanging_chain_swings_at_its_frequency) {
    SimSettings settings = rod_settings();
    settings.rod.youngs_modulus = 1;  // no stiffness worth the name
    settings.rod.sag_free = false;
    settings.clamp_root = false;
    settings.dt = 1.0f / 960;
    settings.substeps = 1;
    // The first mode is J0(2.4048 sqrt(1 - s)); a straight line tilted by 2 degrees is mostly that.
    Simulation simulation(
        strands_of({straight_line({0, 0, 0}, {0.0349f, -0.99939f, 0}, 0.3f, kSegments + 1)}),
        settings, {}, 1);
    // Its middle moves little in the second mode; what is left of that is within the tolerance.
    const double omega = frequency_of(
        simulation, 8, [&] { return wide(simulation.state().x.vec3(0, kSegments / 2)).x; });
    EXPECT_NEAR(omega * std::sqrt(0.3 / 9.81), 1.202065, 0.01 * 1.202065);
}

TEST(rod, beam_vibrates_at_its_frequency) {
    SimSettings settings = rod_settings();
    settings.gravity = {0, 0, 0};
    settings.dt = 1.0f / 3840;
    settings.substeps = 1;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.1f, kSegments + 1)}),
                          settings, {}, 1);
    for (int i = 1; i <= kSegments; ++i) {
        const float s = static_cast<float>(i) / kSegments;
        simulation.state().v.set_vec3(0, i, {0, 0.05f * s * s, 0});
    }
    const double r = 40e-6, stiffness_over_weight = 3.8e9 * r * r / (4 * 1300);
    const double want = 3.516015 * std::sqrt(stiffness_over_weight / 1e-4);
    const double omega = frequency_of(
        simulation, 1.5, [&] { return wide(simulation.state().x.vec3(0, kSegments)).y; });
    EXPECT_NEAR(omega / want, 1, 0.01);
}

// How far out of its plane a naturally curved rod ends that hangs from a vertical clamp, pushed
// aside a little, in lengths. `turned` is its natural curvature times its length.
double out_of_plane(float poisson_ratio, double turned) {
    constexpr int segments = 64;
    SimSettings settings = rod_settings();
    settings.rod.sag_free = false;
    settings.rod.poisson_ratio = poisson_ratio;
    settings.rod.damping = 0.002f;
    settings.damping = 2;
    set_gamma(settings, 100, 0.3);
    std::vector<Vec3f> line{{0, 0, 0}};
    for (int i = 0; i < segments; ++i) {
        const SinCos<float> at = sin_cos(static_cast<float>((i + 0.5) * turned / segments));
        line.push_back(line.back() + Vec3f{at.sin, -at.cos, 0} * (kLength / segments));
    }
    Simulation simulation(strands_of({line}), settings, {}, 1);
    run(simulation, 3);
    for (int i = 1; i <= segments; ++i)
        simulation.state().v.set_vec3(0, i, {0, 0, 0.02f * static_cast<float>(i) / segments});
    run(simulation, 10);
    double most = 0;
    for (int i = 0; i <= segments; ++i)
        most = std::max(most, std::abs(wide(simulation.state().x.vec3(0, i)).z));
    return most / 0.3;
}

// bendtwist.csv at Gamma = 100: bending and twisting stiffness and their coupling at once.
TEST(rod, curved_rod_leaves_its_plane_where_theory_says) {
    const struct {
        float poisson_ratio;
        double critical;
    } rows[] = {{0, 9.06868}, {0.45f, 7.69212}};
    for (const auto& row : rows) {
        EXPECT_LT(out_of_plane(row.poisson_ratio, 0.97 * row.critical), 1e-3) << row.poisson_ratio;
        EXPECT_GT(out_of_plane(row.poisson_ratio, 1.03 * row.critical), 0.1) << row.poisson_ratio;
    }
}

TEST(rod, free_strand_keeps_linear_momentum) {
    SimSettings settings = rod_settings();
    settings.gravity = {0, 0, 0};
    settings.hold_roots = false;
    Simulation simulation(strands_of({helix({0, 0, 0}, 0.01f, 0.04f, 0.2f, 33)}), settings, {}, 1);
    kick(simulation.state(), 0.3f, {0.7f, -0.4f, 0.2f});
    const auto momentum = [&] {  // mean velocity: vertices weigh one, the ends half
        Vec3d sum;
        for (int i = 0; i < 33; ++i)
            sum = sum + wide(simulation.state().v.vec3(0, i)) * (i == 0 || i == 32 ? 0.5 : 1);
        return sum;
    };
    const Vec3d before = momentum();
    run(simulation, 2);
    EXPECT_LT(norm(momentum() - before), 1e-6 * norm(before));
}

TEST(rod, turning_the_world_turns_the_result) {
    const Quatf turn = quat_from_axis_angle(unit_or(Vec3f{1, 2, -0.5f}, Vec3f{0, 1, 0}), 1.1f);
    const std::vector<Vec3f> line = helix({0, 0, 0}, 0.01f, 0.04f, 0.2f, 33);
    std::vector<Vec3f> turned;
    for (const Vec3f& x : line) turned.push_back(rotate(turn, x));
    SimSettings settings = rod_settings();
    settings.rod.sag_free = false;
    settings.damping = 2;
    Simulation plain(strands_of({line}), settings, {}, 1);
    settings.gravity = rotate(turn, settings.gravity);
    Simulation other(strands_of({turned}), settings, {}, 1);
    run(plain, 1);
    run(other, 1);
    for (int i = 0; i < 33; ++i)
        EXPECT_LT(norm(rotate(turn, plain.state().x.vec3(0, i)) - other.state().x.vec3(0, i)),
                  1e-4f * 0.2f)
            << i;
}

TEST(rod, broken_numbers_and_odd_strands_stay_finite) {
    SimSettings settings = rod_settings();
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 10),
                                      straight_line({1, 0, 0}, {0, -1, 0}, 0.3f, 10),
                                      {{0, 0, 0}},
                                      {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                                      {{0, 0, 0}, {0, -0.01f, 0}, {0, -0.01f, 0}, {0, -0.02f, 0}},
                                      straight_line({0, 0, 0}, {0, 1, 0}, 1e-4f, 20)}),
                          settings, {}, 1);
    run(simulation, 1);
    EXPECT_TRUE(all_finite(simulation.state()));
    EXPECT_LT(simulation.take_repaired().first, 0);
    simulation.state().v.set_vec3(1, 4, {INFINITY, NAN, -1e30f});
    run(simulation, 1);
    EXPECT_TRUE(all_finite(simulation.state()));
    EXPECT_EQ(simulation.take_repaired().first, 1);
    EXPECT_LT(simulation.take_repaired().first, 0);  // told once
    EXPECT_LT(simulation.measure(pool()).max_stretch, 1e-3);
}

// Strands of many lengths in one block, shaken over a sphere.
std::string hash_of_run(LaneKind lanes) {
    SimSettings settings = rod_settings();
    settings.rod.damping = 0.001f;
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
    run(simulation, 1);
    EXPECT_TRUE(all_finite(simulation.state()));
    return hash_of(simulation.state().x, simulation.state().v).hex();
}

TEST(rod, every_kind_of_lane_gives_the_same_bits) {
    const std::string scalar = hash_of_run(LaneKind::scalar);
    EXPECT_EQ(hash_of_run(LaneKind::wide8), scalar);
    EXPECT_EQ(hash_of_run(LaneKind::avx2), scalar);
}

TEST(rod, strand_moves_the_same_alone_and_beside_longer_ones) {
    const auto run_of = [](const std::vector<std::vector<Vec3f>>& lines) {
        World world;
        world.head.motion = MotionKind::shake;
        Simulation simulation(strands_of(lines), rod_settings(), world, 1);
        run(simulation, 1);
        std::vector<Vec3f> out;
        for (int i = 0; i < 10; ++i) out.push_back(simulation.state().x.vec3(0, i));
        return out;
    };
    const std::vector<Vec3f> line = helix({0, 0, 0}, 0.01f, 0.04f, 0.1f, 10);
    const std::vector<Vec3f> alone = run_of({line});
    const std::vector<Vec3f> beside =
        run_of({line, straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 33), {{0, 0, 0}}});
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(norm(alone[i] - beside[i]), 0) << i;
}

}  // namespace
}  // namespace ringlet
