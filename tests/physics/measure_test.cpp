// The measurements of a report.
#include "physics/every_model.h"

namespace ringlet {
namespace {

using namespace lab;

TEST_P(EveryModel, reports_the_stretch_that_one_strand_in_a_hundred_exceeds) {
    std::vector<std::vector<Vec3f>> lines;
    for (int s = 0; s < 300; ++s)
        lines.push_back(straight_line({0.01f * static_cast<float>(s), 0, 0}, {0, -1, 0}, 0.3f, 4));
    Simulation simulation(strands_of(lines), settings(), {}, 1);
    const auto stretch = [&](int strand, float by) {
        simulation.state().x.set_vec3(
            strand, 3,
            lines[0][3] + lines[static_cast<std::size_t>(strand)][0] - Vec3f{0, 0.1f * by, 0});
    };
    for (int s = 0; s < 20; ++s) stretch(s * 10, 0.01f);
    EXPECT_NEAR(simulation.measure(pool()).stretch_p99, 0.01, 1e-5);
    for (const int s : {7, 88, 299}) stretch(s, 0.5f);
    EXPECT_NEAR(simulation.measure(pool()).stretch_p99, 0.01, 1e-5) << "three of 300 may";
    stretch(150, 0.2f);
    EXPECT_NEAR(simulation.measure(pool()).stretch_p99, 0.2, 1e-5) << "four may not";
    EXPECT_NEAR(simulation.measure(pool()).max_stretch, 0.5, 1e-5);
}

TEST_P(EveryModel, counts_penetrating_and_nonfinite_vertices_the_same_on_all_lanes) {
    std::vector<std::vector<Vec3f>> lines;  // of 3 to 7 vertices, 0.1 m apart
    for (int s = 0; s < 100; ++s)
        lines.push_back(straight_line({0.02f * static_cast<float>(s), 0, 0}, {0, -1, 0},
                                      0.1f * static_cast<float>(2 + s % 5), 3 + s % 5));
    World world;  // everything below -0.25 m is inside
    world.colliders.push_back({.shape = ColliderShape::plane, .centre = {0, -0.25f, 0}});
    for (const LaneKind lanes : {LaneKind::scalar, LaneKind::wide8, LaneKind::automatic}) {
        Simulation simulation(strands_of(lines), settings(), world, 1, lanes);
        simulation.state().x.set_vec3(7, 1, {0.14f, -0.15f, 0});
        simulation.state().v.at(30, 2, 1) = std::numeric_limits<float>::infinity();
        const Measurement found = simulation.measure(pool());
        EXPECT_EQ(found.segment_count, 20 * (2 + 3 + 4 + 5 + 6));
        EXPECT_NEAR(found.max_stretch, 0.5, 1e-5);
        EXPECT_NEAR(found.sum_stretch, 1, 1e-3);
        EXPECT_EQ(found.nonfinite_vertices, 1);
        EXPECT_EQ(found.penetrating_vertices, 20 * (1 + 2 + 3 + 4));
        EXPECT_NEAR(found.max_penetration, 0.35, 1e-5);
    }
}

// Only rod and pbd have strain limiting; the others keep lengths by construction.
TEST_P(EveryModel, reports_how_many_strands_were_strain_limited) {
    SimSettings held = settings();
    held.hold_roots = true;
    held.follow_head_above = 1e6f;
    held.substeps = 1;
    std::vector<std::vector<Vec3f>> lines;
    for (int s = 0; s < 11; ++s)
        lines.push_back(straight_line({0.01f * static_cast<float>(s), 0, 0}, {0, -1, 0}, 0.3f, 40));
    Simulation simulation(strands_of(lines), held, {}, 1);
    run(simulation, 0.4);
    EXPECT_EQ(simulation.collect_strain_limited(), 0);
    for (int s = 0; s < 11; ++s)
        for (int i = 2; i < 40; ++i)
            simulation.state().v.set_vec3(s, i, {0, s < 4 ? 300.0f : 0.0f, s < 4 ? 200.0f : 0.0f});
    simulation.step(pool());
    const int strain_limited = simulation.collect_strain_limited();
    if (name() == "rod" || name() == "pbd") {
        EXPECT_GE(strain_limited, 1);
        EXPECT_LE(strain_limited, 4);
    } else {
        EXPECT_EQ(strain_limited, 0);
    }
    EXPECT_EQ(simulation.collect_strain_limited(), 0) << "reported once";
}

}  // namespace
}  // namespace ringlet
