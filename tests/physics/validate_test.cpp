// Every check of `ringlet validate` on every model, at quick size; at the level all with 100 random
// scenes instead of 40. Sanitizer builds, about 25 times
// slower, run the random scenes only, and 8 of them instead of 40: the closed forms need no
// sanitizer, and the code that they run is that of the other tests.
#include <gtest/gtest.h>

#include "test_level.h"
#include "validate/suite.h"

namespace ringlet {
namespace {

constexpr int kScenesAtLevelAll = 100;
constexpr ValidationSize kSize = kSanitized ? ValidationSize::least : ValidationSize::quick;

struct Pair {
    Check check;
    Profile profile;
};

std::vector<Pair> all_pairs() {
    std::vector<Pair> out;
    for (const Check& check : all_checks()) {
        if (kSize == ValidationSize::least && std::string_view(check.name) != "random_scenes")
            continue;
        for (const Profile& profile : all_profiles()) out.push_back({check, profile});
    }
    return out;
}

class validate : public testing::TestWithParam<Pair> {};

TEST_P(validate, meets_its_claims) {
    const TaskPool pool;
    const Pair& pair = GetParam();
    const bool is_long = test_level() == TestLevel::all && !kSanitized;
    const CheckOutcome found = run_check(pair.check, {.profile = pair.profile,
                                                      .size = kSize,
                                                      .pool = pool,
                                                      .scenes = is_long ? kScenesAtLevelAll : 0});
    EXPECT_FALSE(found.rows.empty());
    for (const CheckRow& row : found.rows) {
        EXPECT_NE(row.verdict, Verdict::fail)
            << row.what << ": measured " << row.measured << ", expected " << row.expected
            << ", error " << row.error << ", allowed " << row.tolerance << " " << row.reason;
        EXPECT_TRUE(row.verdict != Verdict::exempt || !row.reason.empty()) << row.what;
    }
}

std::string name_of(const testing::TestParamInfo<Pair>& pair) {
    return std::string(pair.param.check.name) + "_" + std::string(pair.param.profile.model);
}

INSTANTIATE_TEST_SUITE_P(all, validate, testing::ValuesIn(all_pairs()), name_of);

}  // namespace
}  // namespace ringlet
