// Input that breaks solvers: every model keeps the state finite, or counts what is not.
#include "every_model.h"

namespace ringlet {
namespace {

using namespace lab;

// Straight threads of `count` vertices in a direction that depends on k.
std::vector<Vec3f> thread(int k, int count) {
    const float angle = 0.4f * static_cast<float>(k);
    const Vec3f along =
        unit_or(Vec3f{std::cos(angle), 0.3f * std::sin(3 * angle), std::sin(angle)}, {1, 0, 0});
    return straight_line({0.1f * static_cast<float>(k), 0, 0}, along, 0.2f, count);
}

TEST_P(EveryModel, taut_threads_held_at_both_ends_stay_where_they_are) {
    SimSettings settings = EveryModel::settings();
    settings.hold_roots = settings.hold_tips = true;
    settings.gravity = {0, -9.81f, 0};
    const bool holds_tips = name() == "pbd" || name() == "rod";
    for (const bool clamps : {false, true}) {
        settings.clamp_root = clamps;
        std::vector<std::vector<Vec3f>> threads;
        for (int k = 0; k < 48; ++k) threads.push_back(thread(k, 3 + k));
        Simulation simulation(strands_of(threads), settings, {}, 1);
        for (int k = 0; k < 30; ++k) simulation.step(pool());
        ASSERT_TRUE(all_finite(simulation.state()));
        EXPECT_LT(simulation.collect_repaired().first, 0);
        if (!holds_tips) continue;
        for (std::size_t k = 0; k < threads.size(); ++k)
            for (std::size_t i = 0; i < threads[k].size(); ++i)
                EXPECT_LT(norm(simulation.state().x.vec3(static_cast<int>(k), static_cast<int>(i)) -
                               threads[k][i]),
                          0.03f)
                    << "thread " << k << ", vertex " << i;
    }
}

TEST_P(EveryModel, infinite_velocity_is_repaired_and_reported_once) {
    Simulation simulation(strands_of({thread(0, 10), thread(1, 10)}), settings(), {}, 1);
    simulation.state().v.set_vec3(1, 4, {INFINITY, NAN, -1e30f});
    run(simulation, 0.1);
    EXPECT_TRUE(all_finite(simulation.state()));
    EXPECT_EQ(simulation.measure(pool()).nonfinite_vertices, 0);
    EXPECT_EQ(simulation.collect_repaired().first, 1);
    EXPECT_LT(simulation.collect_repaired().first, 0);
}

TEST_P(EveryModel, position_that_is_nan_is_counted_and_reported) {
    Simulation simulation(strands_of({thread(0, 10), thread(1, 10)}), settings(), {}, 1);
    simulation.state().x.set_vec3(1, 4, {0, NAN, 0});
    simulation.step(pool());
    std::int64_t nonfinite = 0;
    for (const Vec3f& x : unpack(simulation.state().x))
        nonfinite += !std::isfinite(x.x + x.y + x.z);
    EXPECT_LE(nonfinite, 10);
    EXPECT_EQ(simulation.measure(pool()).nonfinite_vertices, nonfinite);
    EXPECT_EQ(simulation.collect_repaired().first, 1);
    for (int i = 0; i < 10; ++i) {
        const Vec3f x = simulation.state().x.vec3(0, i);
        EXPECT_TRUE(std::isfinite(x.x + x.y + x.z)) << "the other strand, vertex " << i;
    }
}

SimSettings with_pairs(std::vector<PbdPair> pairs) {
    SimSettings out = bare_settings();
    out.damping = 3;
    out.pbd.pairs = std::move(pairs);
    return out;
}

TEST(pbd_pairs, pair_of_the_ends_may_be_anywhere_in_the_list) {
    const PbdPair ends{.reach = PairReach::ends, .rest = 6, .stiffness = 0.6f};
    const PbdPair along{.span = 2, .rest = 1.4f, .stiffness = 0.6f};
    for (const auto& pairs : std::vector<std::vector<PbdPair>>{
             {ends}, {ends, along}, {ends, ends}, {along, ends, ends}, {along, ends}}) {
        Simulation simulation(strands_of({straight_line({0, 0, 0}, {0, -1, 0}, 0.2f, 21)}),
                              with_pairs(pairs), {}, 1);
        run(simulation, 5);
        const Channel<3>& x = simulation.state().x;
        EXPECT_NEAR(norm(x.vec3(0, 20) - x.vec3(0, 0)), 0.06, 2e-3);
    }
}

}  // namespace
}  // namespace ringlet
