// The properties of the model rod beyond the checks of src/validate (validate_test.cpp).
#include <gtest/gtest.h>

#include "physics/rod_lab.h"
#include "sim/models/rod_joints.h"
#include "sim/models/rod_kernel.h"
#include "test_level.h"
#include "validate/profile.h"

namespace ringlet {
namespace {

using namespace lab;

// The largest distance of a vertex from its groomed position, over the length of the strand.
double drift(const Simulation& simulation, const StrandSet& rest, double length) {
    double most = 0;
    for (int i = 0; i < rest.layout->vertex_count(0); ++i)
        most = std::max(most, norm(wide(simulation.state().x.vec3(0, i)) -
                                   wide(apply(simulation.head_pose(), rest.position.vec3(0, i)))));
    return most / length;
}

TEST(rod, sags_without_a_sag_free_start) {
    SimSettings settings = rod_settings();
    settings.rod.sag_free = false;
    const StrandSet rest = strands_of({helix({-0.01f, 0, 0}, 0.01f, 0.04f, 0.2f, 65)});
    Simulation simulation(rest, settings, {}, 1);
    run(simulation, 3);
    EXPECT_GT(drift(simulation, rest, 0.372), 0.01);
}

// The tip at rest, over the length, of a strand with Gamma 100: an arc of the angle `curl` (rad)
// that starts at `angle` (degrees) above the horizontal.
Vec3d resting_tip(double angle, double curl, float aspect_ratio, int segments) {
    SimSettings settings = rod_settings();
    settings.rod.sag_free = false;
    settings.rod.aspect_ratio = aspect_ratio;
    settings.damping = 6;
    settings.rod.damping = 0.02f;
    const double length = length_at(settings, 100);
    // The clamp holds the first segment, whose chord turns with the curl.
    double at = angle * static_cast<double>(kPi) / 180 - curl / (2 * segments);
    Vec3d x;
    std::vector<Vec3f> line = {{0, 0, 0}};
    for (int i = 0; i < segments; ++i, at -= curl / segments) {
        x = x + Vec3d{std::cos(at), std::sin(at), 0} * (length / segments);
        line.push_back({static_cast<float>(x.x), static_cast<float>(x.y), 0});
    }
    Simulation simulation(strands_of({line}), settings, {}, 1);
    run(simulation, 6);
    return wide(simulation.state().x.vec3(0, segments)) * (1 / length);
}

// The plain joint of half a segment is wrong by 1.6 to 3.3 % of the length.
TEST(rod, coarse_strands_rest_like_fine_ones_whatever_their_shape) {
    struct Case {
        double angle, curl;
        float aspect_ratio;
    };
    for (const Case& one :
         {Case{0, 0, 1}, {-45, 0, 1}, {0, 1, 1}, {0, -1, 1}, {-45, 0, 0.5f}, {0, 0, 0.5f}}) {
        const Vec3d fine = resting_tip(one.angle, one.curl, one.aspect_ratio, 64);
        const Vec3d coarse = resting_tip(one.angle, one.curl, one.aspect_ratio, 7);
        EXPECT_LT(norm(coarse - fine), 0.016)
            << one.angle << " " << one.curl << " " << one.aspect_ratio;
    }
}

TEST(rod, only_the_clamp_of_coarse_strands_is_stiffened) {
    const float curving = 250 / (0.3f * 0.3f * 0.3f);
    const auto factor = [&](int segments, float weight) {
        return rod::root_stiffening(segments, 0.3f / static_cast<float>(segments), 0.3f,
                                    weight * curving);
    };
    EXPECT_EQ(factor(31, 1), 1);
    EXPECT_EQ(factor(100, 1), 1);
    EXPECT_NEAR(factor(7, 1), 1.549f, 1e-3f);
    // Without gravity the moment of any load still decreases towards the tip.
    EXPECT_NEAR(factor(7, 0), 1.0765f, 1e-3f);
    for (int segments = 1; segments < 31; ++segments)
        EXPECT_LT(factor(segments + 1, 1), factor(segments, 1)) << segments;
}

// No equilibrium among the checks distinguishes t = K c from the exact torque, so this tests the
// joint itself.
TEST(rod, torque_of_a_joint_is_the_gradient_of_its_energy) {
    const float across = 1, along = 0.6f;
    const Quatf before = normalise(Quatf{0.1f, -0.3f, 0.2f, 0.9f});
    const Quatf q = exp_map(Vec3f{0.5f, -0.3f, 0.6f}, 3.0f) * before;
    const auto energy = [&](Quatf turned) {
        const Vec3f c = log_map(turned * conjugate(before));
        const Vec3d twist = wide(tangent_of(turned)), w = wide(c);
        const double about = w.x * twist.x + w.y * twist.y + w.z * twist.z, all = norm(w);
        return 0.5 * (static_cast<double>(across) * (all * all - about * about) +
                      static_cast<double>(along) * about * about);
    };
    const Vec3f c = log_map(q * conjugate(before));
    const Axial3<float> stiffness{across, along - across, tangent_of(q)};
    const Vec3f torque = conjugate_torque(c, stiffness * c);
    const float small = 0.02f;
    const Vec3f axes[] = {{small, 0, 0}, {0, small, 0}, {0, 0, small}};
    const float found[] = {torque.x, torque.y, torque.z};
    for (std::size_t k = 0; k < 3; ++k) {
        const double slope =
            (energy(exp_map(axes[k], 3.0f) * q) - energy(exp_map(-axes[k], 3.0f) * q)) /
            (2 * static_cast<double>(small));
        EXPECT_NEAR(static_cast<double>(found[k]), slope, 2e-3) << k;
    }
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
    EXPECT_LT(simulation.collect_repaired().first, 0);
    simulation.state().v.set_vec3(1, 4, {INFINITY, NAN, -1e30f});
    run(simulation, 1);
    EXPECT_TRUE(all_finite(simulation.state()));
    EXPECT_EQ(simulation.collect_repaired().first, 1);
    EXPECT_LT(simulation.collect_repaired().first, 0);  // reported once
    EXPECT_LT(simulation.measure(pool()).max_stretch, 1e-3);
}

TEST(rod, strands_without_stiffness_or_gravity_stay_finite) {
    for (const float modulus : {0.0f, 1e-30f, 1.0f, 1e12f})
        for (const float gravity : {0.0f, -9.81f, -1e4f}) {
            SimSettings settings = rod_settings();
            settings.rod.youngs_modulus = modulus;
            settings.rod.sag_free = false;
            settings.gravity = {0, gravity, 0};
            Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.3f, 2),
                                              straight_line({0, 0, 0}, {1, 0, 0}, 0.3f, 8)}),
                                  settings, {}, 1);
            run(simulation, 0.5);
            EXPECT_TRUE(all_finite(simulation.state())) << modulus << " " << gravity;
            EXPECT_LT(simulation.collect_repaired().first, 0) << modulus << " " << gravity;
        }
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
    run(simulation, kSanitized ? 0.2 : 1);
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
    const std::vector<Vec3f> with_others =
        run_of({line, straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 33), {{0, 0, 0}}});
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(norm(alone[i] - with_others[i]), 0) << i;
}

}  // namespace
}  // namespace ringlet
