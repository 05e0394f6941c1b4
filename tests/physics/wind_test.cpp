// Wind and drag: one stage for all models. Drag has a closed form, turbulence is divergence-free.
#include "base/hash.h"
#include "physics/every_model.h"
#include "strand/strand_set.h"

namespace ringlet {
namespace {

using namespace lab;

constexpr float kStep = 1.0f / 60;

TEST_P(EveryModel, free_strand_approaches_the_wind_velocity) {
    SimSettings free = settings();
    free.damping = 1.5f;
    World world;
    world.wind.velocity = {1, 0, 0};
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 10)}), free, world,
                          1);
    run(simulation, 1);
    for (int i = 0; i < 10; ++i)
        EXPECT_NEAR(simulation.state().v.vec3(0, i).x, 1 - std::exp(-1.5), 1e-4) << i;
}

// Drag acts on vertices in every model; along and across a straight strand it is independent.
TEST_P(EveryModel, drag_is_smaller_along_a_strand_than_across_it) {
    SimSettings free = settings();
    free.damping = 2;
    free.damping_along = 0.5f;
    World world;
    world.wind.velocity = {1, 0, -1};
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.3f, 10)}), free, world,
                          1);
    run(simulation, 0.5);
    for (int i = 0; i < 10; ++i) {
        EXPECT_NEAR(simulation.state().v.vec3(0, i).x, 1 - std::exp(-0.5), 1e-4) << i;
        EXPECT_NEAR(simulation.state().v.vec3(0, i).z, std::exp(-1.0) - 1, 1e-4) << i;
    }
}

TEST_P(EveryModel, is_stable_with_any_drag) {
    SimSettings held = settings();
    held.hold_roots = true;
    held.damping = 1000;
    World world;
    world.wind.velocity = {20, 0, 0};
    world.wind.turbulence = 10;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 24)}), held, world,
                          1);
    run(simulation, 1);
    EXPECT_TRUE(all_finite(simulation.state()));
    EXPECT_EQ(simulation.collect_repaired().first, -1);
    EXPECT_GT(simulation.state().x.vec3(0, 23).x, 0.2f) << "blown level";
}

TEST_P(EveryModel, push_moves_the_vertices_within_its_radius) {
    SimSettings held = settings();
    held.hold_roots = true;
    held.clamp_root = false;
    const auto away = straight_line({0.3f, 0, 0}, {0, -1, 0}, 0.3f, 16);
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.3f, 16), away}), held,
                          {}, 1);
    // A ray along z through the lower half of the first strand.
    simulation.set_push(Push{{0, -0.25f, 2}, {0, -0.25f, -2}, 0.1f, {5, 0, 0}});
    run(simulation, 0.1);
    EXPECT_GT(simulation.state().x.vec3(0, 13).x, 0.005f);
    for (int i = 0; i < 16; ++i)
        EXPECT_LT(norm(simulation.state().x.vec3(1, i) - away[std::size_t(i)]), 1e-5f) << i;
    simulation.set_push({});
    for (int i = 0; i < 16; ++i) simulation.state().v.set_vec3(0, i, {0, 0, 0});
    const Vec3f left_at = simulation.state().x.vec3(0, 13);
    run(simulation, 0.1);
    EXPECT_LT(norm(simulation.state().x.vec3(0, 13) - left_at), 5e-3f) << "it is gone";
}

TEST(push, acceleration_is_exact_at_the_axis_and_zero_at_the_radius) {
    SimSettings settings = bare_settings();
    settings.damping = 0;
    std::vector<std::vector<Vec3f>> lines;
    for (int k = 0; k < 6; ++k) lines.push_back({{0.01f * float(k), 0, 0}});
    const StrandSet strands = strands_of(lines);
    SimState state{strands.position, Channel<3>(strands.layout)};
    const WindField wind_field(strands.position, settings, {}, LaneKind::automatic);
    wind_field.apply(state, 0, kStep, nullptr, Push{{0, 0, -1}, {0, 0, 1}, 0.04f, {0, 6, 0}},
                     pool());
    EXPECT_NEAR(state.v.vec3(0, 0).y, 0.1, 1e-6);
    EXPECT_NEAR(state.v.vec3(2, 0).y, 0.1 * 0.75 * 0.75, 1e-6);
    EXPECT_EQ(state.v.vec3(4, 0).y, 0);
    EXPECT_EQ(state.v.vec3(5, 0).y, 0);
}

TEST(wind, does_not_change_held_vertices) {
    SimSettings settings = bare_settings();
    settings.damping = 3;
    settings.hold_roots = settings.hold_tips = true;
    const StrandSet strands = strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.2f, 5),
                                          straight_line({1, 0, 0}, {0, -1, 0}, 0.2f, 3)});
    SimState state{strands.position, Channel<3>(strands.layout)};
    Wind wind;
    wind.velocity = {1, 0, 0};
    WindField(strands.position, settings, wind, LaneKind::automatic)
        .apply(state, 0, kStep, nullptr, {}, pool());
    for (const auto& [strand, last] : {std::pair{0, 4}, std::pair{1, 2}})
        for (int i = 0; i <= last; ++i)
            EXPECT_EQ(state.v.vec3(strand, i).x > 0, i > 0 && i < last) << strand << ' ' << i;
    for (int i = 0; i < 2; ++i)  // padding after the shorter strand
        EXPECT_EQ(state.v.block(0)[(3 + i) * 3 * kLanes + 1], 0);
}

TEST(wind, oscillates_about_its_mean) {
    Wind wind;
    wind.velocity = {2, 0, -1};
    EXPECT_EQ(wind_at(wind, 0.7).x, 2);
    EXPECT_EQ(wind_at(wind, 0.7).z, -1);
    wind.oscillation = 1;
    wind.frequency = 0.5f;
    EXPECT_NEAR(wind_at(wind, 0.5).x, 4, 1e-5f);
    EXPECT_NEAR(wind_at(wind, 1.5).x, 0, 1e-5f);
    EXPECT_NEAR(wind_at(wind, 2).x, 2, 1e-5f);
}

TEST(wind, gusts_start_and_end_at_zero) {
    Wind wind;
    wind.velocity = {0, 0, 0.5f};
    wind.gust = 3;
    wind.gust_time = 2;
    wind.gust_duration = 1.5f;
    for (const double calm : {0.0, 1.99, 2.0, 3.5, 3.6, 100.0})
        EXPECT_NEAR(wind_at(wind, calm).z, 0.5f, 1e-6f) << calm;
    EXPECT_NEAR(wind_at(wind, 2.75).z, 3.5f, 1e-5f);  // the middle of the gust, along the wind
    EXPECT_EQ(wind_at(wind, 2.75).x, 0);
    // Smooth at both ends: almost zero after a hundredth of its duration.
    EXPECT_LT(wind_at(wind, 2.015).z - 0.5f, 0.005f);
    EXPECT_LT(wind_at(wind, 3.485).z - 0.5f, 0.005f);
    EXPECT_GT(wind_at(wind, 2.2).z, 0.9f);
    wind.velocity = {0, 0, 0};
    EXPECT_NEAR(norm(wind_at(wind, 2.75)), 3, 1e-5f) << "still air has a gust too";
}

TEST(wind, displacement_of_the_air_is_the_integral_of_the_wind) {
    Wind wind;
    wind.velocity = {2, 0, -1};
    wind.oscillation = 0.7f;
    wind.frequency = 0.8f;
    wind.gust = 3;
    wind.gust_time = 0.5f;
    wind.gust_duration = 0.6f;
    Vec3d sum;
    constexpr int kSteps = 4000;
    for (int k = 0; k < kSteps; ++k) sum = sum + wide(wind_at(wind, (k + 0.5) * 2.0 / kSteps));
    EXPECT_LT(norm(wide(displacement_of_air(wind, 2)) - sum * (2.0 / kSteps)), 1e-4);
}

Wind turbulent(float size = 0.2f) {
    Wind out;
    out.turbulence = 2;
    out.turbulence_size = size;
    return out;
}

WindField wind_field_of(const Wind& wind) {
    return WindField(strands_of({{{0, 0, 0}}}).position, SimSettings{}, wind, LaneKind::scalar);
}

// A random point in a cube of that side.
Vec3f somewhere(std::uint32_t id, float side) {
    return Vec3f{counter_signed(3, id, 0), counter_signed(3, id, 1), counter_signed(3, id, 2)} *
           (side / 2);
}

TEST(turbulence, has_the_requested_speed_in_all_directions) {
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
        Wind wind = turbulent();
        wind.turbulence_seed = seed;
        const WindUniforms air = wind_field_of(wind).uniforms_at(0, kStep);
        Vec3d mean, square;
        constexpr int kCount = 100000;
        for (int k = 0; k < kCount; ++k) {
            const Vec3d u = wide(wind::air_at(air, somewhere(std::uint32_t(k), 20)));
            mean = mean + u;
            square = square + Vec3d{u.x * u.x, u.y * u.y, u.z * u.z};
        }
        square = square * (1.0 / kCount);
        EXPECT_NEAR(std::sqrt(square.x + square.y + square.z), 2, 0.02);
        EXPECT_LT(norm(mean * (1.0 / kCount)), 0.02);
        for (const double part : {square.x, square.y, square.z}) {
            EXPECT_GT(part, 0.2 * 4);
            EXPECT_LT(part, 0.5 * 4);
        }
    }
}

TEST(turbulence, is_divergence_free) {
    const WindUniforms air = wind_field_of(turbulent()).uniforms_at(0.3, kStep);
    constexpr float kApart = 5e-4f;
    double divergence = 0, slope = 0;
    for (std::uint32_t k = 0; k < 500; ++k) {
        const Vec3f x = somewhere(k, 1);
        const auto difference = [&](Vec3f d) {
            return (wind::air_at(air, x + d * kApart) - wind::air_at(air, x - d * kApart)) *
                   (0.5f / kApart);
        };
        const Vec3f dx = difference({1, 0, 0}), dy = difference({0, 1, 0}),
                    dz = difference({0, 0, 1});
        divergence += std::abs(double(dx.x + dy.y + dz.z));
        slope += double(norm(dx) + norm(dy) + norm(dz));
    }
    // Divergence by central differences.
    EXPECT_LT(divergence, 2e-3 * slope);
}

TEST(turbulence, is_continuous_in_time_and_changes) {
    Wind wind = turbulent();
    wind.velocity = {6, 3, 0};
    const WindField wind_field = wind_field_of(wind);
    const auto air = [&](double time, Vec3f x) {
        return wind::air_at(wind_field.uniforms_at(time, kStep), x) - wind.velocity;
    };
    double jump = 0, along = 0, left = 0, size = 0;
    for (std::uint32_t k = 0; k < 200; ++k) {
        const Vec3f x = somewhere(k, 1);
        jump = std::max(jump, double(norm(air(5.0001, x) - air(5, x))));
        along += double(norm(air(0.005, x + wind.velocity * 0.005f) - air(0, x)));
        left += double(norm(air(0.005, x) - air(0, x)));
        size += double(norm(air(0, x)));
    }
    EXPECT_LT(jump, 0.3) << "in 0.1 ms, of 2 m/s";
    EXPECT_LT(along, 0.5 * left) << "it goes with the wind";
    EXPECT_GT(along, 0.02 * size) << "and is not frozen";
}

TEST(turbulence, is_the_same_in_every_rotated_frame) {
    Wind wind = turbulent(), turned = wind;
    turned.to_air_frame = {quat_from_axis_angle(Vec3f{0, 1, 0}, 0.8f), {0.3f, -0.2f, 1}};
    const WindUniforms air = wind_field_of(wind).uniforms_at(0, kStep);
    const WindUniforms own = wind_field_of(turned).uniforms_at(0, kStep);
    for (std::uint32_t k = 0; k < 50; ++k) {
        const Vec3f x = somewhere(k, 1);
        const Vec3f there = wind::air_at(air, apply(turned.to_air_frame, x));
        EXPECT_LT(norm(there - rotate(turned.to_air_frame.rotation, wind::air_at(own, x))), 1e-3f);
    }
}

TEST(turbulence, differs_between_places) {
    std::vector<std::vector<Vec3f>> lines;
    for (int k = 0; k < 8; ++k)
        lines.push_back(straight_line({0.3f * float(k), 0, 0}, {0, -1, 0}, 0.2f, 8));
    SimSettings settings;
    World world;
    world.wind = turbulent();
    Simulation simulation(strands_of(lines), settings, world, 1);
    run(simulation, 0.3);
    for (int k = 1; k < 8; ++k) {
        const Vec3f apart = simulation.state().x.vec3(k, 7) - simulation.state().x.vec3(0, 7);
        EXPECT_GT(norm(apart - Vec3f{0.3f * float(k), 0, 0}), 1e-3f) << k;
    }
}

TEST(wind, gives_the_same_bits_in_all_lanes) {
    std::set<std::string> hashes;
    for (const DragKind drag : {DragKind::simple, DragKind::slender_body}) {
        std::string first;
        for (const LaneKind lanes : {LaneKind::scalar, LaneKind::wide8, LaneKind::avx2}) {
            std::vector<std::vector<Vec3f>> lines;
            for (int k = 0; k < 13; ++k)
                lines.push_back(
                    straight_line({0.05f * float(k), 0, 0}, {0, -1, 0}, 0.2f, 4 + k % 5));
            const StrandSet strands = strands_of(lines);
            SimSettings settings;
            settings.drag = drag;
            settings.damping_along = 0.5f;
            Wind wind = turbulent();
            wind.velocity = {1, 2, 3};
            wind.shelter = 0.5f;
            SimState state{strands.position, Channel<3>(strands.layout)};
            const Channel<1> density(strands.layout, 0.7f);
            const WindField wind_field(strands.position, settings, wind, lanes);
            for (int k = 0; k < 5; ++k)
                wind_field.apply(state, k * 0.1, kStep, &density,
                                 Push{{0, -0.1f, 0}, {1, -0.1f, 0}, 0.05f, {0, 0, 9}}, pool());
            const std::string hash = hash_of(state.x, state.v).hex();
            if (first.empty()) first = hash;
            EXPECT_EQ(hash, first);
        }
        hashes.insert(first);
    }
    EXPECT_EQ(hashes.size(), 2u);
}

}  // namespace
}  // namespace ringlet
