// Compiled once per lane kind: CMake sets the lane type and the function's name.
#include "fur/cpu/tip_blocks.h"

#include "math/wide8.h"

namespace ringlet {

void RINGLET_BLOCK_FUNCTION(const TipUniforms& uniforms, const TipBlocks& blocks) {
    using F = RINGLET_LANE_TYPE;
    for (int lane = 0; lane < kTipLanes; lane += LaneTraits<F>::width)
        move_tips<F>(uniforms, from_lane(blocks, lane));
}

}  // namespace ringlet
