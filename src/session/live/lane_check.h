// Tells a user whose processor runs kernels that this build did not optimize.
#pragma once

#include <string_view>
#include <vector>

#include "math/lane_choice.h"
#include "ringlet/warning.h"

namespace ringlet {

// A warning if the lanes that run for `wanted` are not `optimized`: the name of a lane kind, or
// "all" (RINGLET_LANES of the build).
std::vector<Warning> check_lanes(LaneKind wanted, std::string_view optimized);

}  // namespace ringlet
