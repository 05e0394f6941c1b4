#include "session/live/lane_check.h"

#include <fmt/format.h>

namespace ringlet {

std::vector<Warning> check_lanes(LaneKind wanted, std::string_view optimized) {
    const LaneKind kind = choose_lanes(wanted);
    const std::string_view name = pick_lanes(kind, "scalar", "wide8", "avx2", "avx512", "counted");
    if (optimized == "all" || optimized == name) return {};
    return {{fmt::format("the {} kernels are not optimized, because this program was built for {}",
                         name, optimized),
             "", "build it on this machine, or with -DRINGLET_LANES=ALL"}};
}

}  // namespace ringlet
