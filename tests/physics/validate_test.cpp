// Every check of `ringlet validate` on every model, at quick size; with 12, 40 or 100 random scenes
// at the levels quick, full and all. Sanitizer builds, about 25 times slower, run the random scenes
// only, and 8 of them: the closed forms need no sanitizer, and the code that they run is that of
// the other tests.
#include <gtest/gtest.h>

#include "test_level.h"
#include "validate/suite.h"

namespace ringlet {
namespace {

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

int random_scenes() {
    if (kSanitized) return 8;
    switch (test_level()) {
        case TestLevel::quick:
            return 12;
        case TestLevel::full:
            return 40;
        case TestLevel::all:
            return 100;
    }
    return 100;
}

class validate : public testing::TestWithParam<Pair> {};

TEST_P(validate, meets_its_claims) {
    const TaskPool pool;
    const Pair& pair = GetParam();
    const CheckOutcome found = run_check(
        pair.check,
        {.profile = pair.profile, .size = kSize, .pool = pool, .scenes = random_scenes()});
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
