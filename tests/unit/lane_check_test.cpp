#include "session/live/lane_check.h"

#include <gtest/gtest.h>

namespace ringlet {
namespace {

TEST(LaneCheck, lanes_that_the_build_did_not_optimize_are_reported) {
    EXPECT_TRUE(check_lanes(LaneKind::scalar, "all").empty());
    EXPECT_TRUE(check_lanes(LaneKind::scalar, "scalar").empty());
    const std::vector<Warning> warnings = check_lanes(LaneKind::scalar, "avx2");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0].line(),
              "the scalar kernels are not optimized, because this program was built for avx2; "
              "build it on this machine, or with -DRINGLET_LANES=ALL");
}

TEST(LaneCheck, automatic_lanes_are_those_of_this_processor) {
    EXPECT_EQ(check_lanes(LaneKind::automatic, "another").size(), 1u);
    EXPECT_TRUE(check_lanes(LaneKind::automatic, RINGLET_NATIVE_LANES).empty());
}

}  // namespace
}  // namespace ringlet
