// Compiled once per lane kind, with RINGLET_LANE_TYPE and RINGLET_BLOCK_FUNCTION set by CMake.
#include "sim/cpu/pbd_blocks.h"

#include "math/wide8.h"

namespace ringlet {

void RINGLET_BLOCK_FUNCTION(const PbdUniforms& uniforms, const PbdBlock& block) {
    using F = RINGLET_LANE_TYPE;
    for (int lane = 0; lane < kLanes; lane += LaneTraits<F>::width)
        pbd_substep<F>(uniforms, from_lane(block, lane));
}

}  // namespace ringlet
