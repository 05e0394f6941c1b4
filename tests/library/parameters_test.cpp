// Settings by key, and their ranges.
#include <gtest/gtest.h>

#include <cmath>

#include "ringlet/parameters.h"
#include "ringlet/sim.h"
#include "sample_hair.h"

namespace ringlet {
namespace {

TEST(parameters, every_one_can_be_read_and_set_to_its_default) {
    const auto all = sim_parameters();
    ASSERT_TRUE(all) << all.error().text();
    EXPECT_GT(all->size(), 60u);
    SimSettings settings;
    Wind wind;
    for (const ParameterInfo& info : *all) {
        const Result<ParameterValue> value = get_parameter(settings, wind, info.key);
        ASSERT_TRUE(value) << info.key;
        EXPECT_EQ(value->index(), info.usual.index()) << info.key;
        EXPECT_FALSE(info.sentence.empty()) << info.key;
        const Result<void> set = set_parameter(settings, wind, info.key, info.usual);
        EXPECT_TRUE(set) << set.error().text();
    }
}

TEST(parameters, a_key_sets_its_member) {
    SimSettings settings;
    Wind wind;
    ASSERT_TRUE(set_parameter(settings, wind, "sim.rod.radius", 50e-6));
    EXPECT_EQ(settings.rod.radius, 50e-6f);
    ASSERT_TRUE(set_parameter(settings, wind, "sim.substeps", 3.0));
    EXPECT_EQ(settings.substeps, 3);
    ASSERT_TRUE(set_parameter(settings, wind, "sim.model", "ftl"));
    EXPECT_STREQ(model_name(settings.model), "ftl");
    ASSERT_TRUE(set_parameter(settings, wind, "sim.gravity", Vec3f{0, -1, 2}));
    EXPECT_EQ(settings.gravity.z, 2);
    ASSERT_TRUE(set_parameter(settings, wind, "sim.hold_roots", false));
    EXPECT_FALSE(settings.hold_roots);
    ASSERT_TRUE(set_parameter(settings, wind, "wind.gust", 4.0));
    EXPECT_EQ(wind.gust, 4);
}

TEST(parameters, wrong_values_are_errors_without_effect) {
    SimSettings settings;
    Wind wind;
    const auto error_of = [&](std::string_view key, const ParameterValue& value) {
        const Result<void> set = set_parameter(settings, wind, key, value);
        return set ? std::string("no error") : set.error().text();
    };
    EXPECT_EQ(error_of("sim.dt", 7.0), "sim.dt: 7 is not from 1e-05 to 0.1 s");
    EXPECT_EQ(error_of("sim.substeps", 2.5), "sim.substeps: pass a whole number");
    EXPECT_EQ(error_of("sim.hold_roots", 1.0), "sim.hold_roots: pass true or false");
    EXPECT_EQ(error_of("sim.gravity", Vec3f{0, std::nanf(""), 0}),
              "sim.gravity: nan is not from -1000 to 1000 m/s^2");
    EXPECT_NE(error_of("sim.model", "hair").find("pass one of the words pbd"), std::string::npos);
    EXPECT_NE(error_of("sim.nothing", 1.0).find("no parameter \"sim.nothing\""), std::string::npos);
    EXPECT_EQ(settings.substeps, SimSettings{}.substeps);
    EXPECT_EQ(settings.gravity.y, SimSettings{}.gravity.y);
}

// Every number just outside its range is refused by HairSim::create().
TEST(parameters, create_checks_every_range) {
    const SampleHair hair(2);
    SimSettings settings;
    settings.rod.radius = 1;
    const Result<HairSim> made = HairSim::create(hair.arrays(), settings);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().text(), "sim.rod.radius: 1 is not from 1e-06 to 0.01 m");
    settings = {};
    settings.pbd.pairs.resize(2);
    settings.pbd.pairs[1].span = -5;
    const Result<HairSim> other = HairSim::create(hair.arrays(), settings);
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().text().find("sim.pbd.pair 1: span: -5 is not from"), std::string::npos)
        << other.error().text();
}

}  // namespace
}  // namespace ringlet
