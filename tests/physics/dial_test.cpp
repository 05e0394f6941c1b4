// The dials of the rod's material act, and act alike at every step.
#include <gtest/gtest.h>

#include "sim/materials.h"
#include "sim/models/registry.h"
#include "validate/lab.h"
#include "validate/swings.h"

namespace ringlet {
namespace {

using namespace lab;

SimSettings hair_of(const std::string& material) {
    SimSettings out;
    out.model = model_named("rod");
    for (std::size_t k = 0; k < all_materials().size(); ++k)
        if (all_materials()[k].name == material) set_material(out.rod, static_cast<int>(k));
    out.substeps = 2;
    out.rod.solves = 1;
    out.rod.integrator = Integrator::second_order;
    return out;
}

// The time (s) in which a short hair held out sideways stops after a blow, to 1/e.
double decay(SimSettings settings, float dt, int substeps, float dial) {
    const int last = 12;
    settings.dt = dt;
    settings.substeps = substeps;
    settings.rod.bounce_dial = dial;
    Simulation simulation(strands_of({straight_line({0, 0, 0}, {1, 0, 0}, 0.06f, last + 1)}),
                          settings, {}, 1);
    for (int i = 1; i <= last; ++i) {
        const float along = static_cast<float>(i) / last;
        simulation.state().v.set_vec3(0, i, {0, 0.02f * along * along, 0});
    }
    // The mean square of the tip's offset in the second 0.4 s over that in the first.
    double sums[2] = {0, 0};
    const int count = static_cast<int>(std::lround(0.4 / static_cast<double>(dt)));
    for (int k = 0; k < 2 * count; ++k) {
        simulation.step(pool());
        const double y = wide(simulation.state().x.vec3(0, last)).y;
        sums[k / count] += y * y;
    }
    return 2 * 0.4 / std::log(sums[0] / sums[1]);
}

TEST(dials, bounce_acts_alike_at_every_step) {
    const SimSettings hair = hair_of("straight");
    std::vector<double> decays;
    for (const float dial : {0.0f, 0.5f, 1.0f}) {
        decays.push_back(decay(hair, 1.0f / 60, 2, dial));
        EXPECT_NEAR(decays.back() / decay(hair, 1.0f / 240, 4, dial), 1, 0.12) << dial;
    }
    EXPECT_GT(decays[1], 2.5 * decays[0]);
    EXPECT_GT(decays[2], 1.3 * decays[1]);
}

TEST(dials, bounce_damps_an_undamped_material_too) {
    RodSettings hair;
    ASSERT_EQ(hair.damping, 0);
    float last = 1;
    for (const float dial : {0.0f, 0.1f, 0.2f, 0.4f}) {
        hair.bounce_dial = dial;
        EXPECT_LT(with_dials(hair).damping, last);
        last = with_dials(hair).damping;
    }
    EXPECT_GT(last, 0);
    hair.bounce_dial = 0.5f;
    EXPECT_EQ(with_dials(hair).damping, 0);
    hair.damping = 2e-3f;
    EXPECT_EQ(with_dials(hair).damping, 2e-3f);
    hair.bounce_dial = 0;
    EXPECT_NEAR(with_dials(hair).damping, 0.02f, 1e-6f);
}

TEST(dials, wet_hair_stops_sooner_than_dry_hair) {
    for (const std::string type : {"straight", "wavy", "curly"})
        EXPECT_LT(decay(hair_of("wet_" + type), 1.0f / 60, 2, 0.5f),
                  0.8 * decay(hair_of(type), 1.0f / 60, 2, 0.5f))
            << type;
}

}  // namespace
}  // namespace ringlet
