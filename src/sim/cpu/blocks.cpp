// A model's kernel over the lanes of a block. Compiled once per model and lane kind: CMake sets the
// model's kernel header, its types and functions, and the lane type.
#include RINGLET_KERNEL_HEADER

#include "math/counted.h"
#include "math/wide8.h"

namespace ringlet {

void RINGLET_BLOCK_FUNCTION(const RINGLET_UNIFORMS& uniforms, const RINGLET_BLOCK& block) {
    using F = RINGLET_LANE_TYPE;
    for (int lane = 0; lane < kLanes; lane += LaneTraits<F>::width)
        RINGLET_SUBSTEP<F>(uniforms, from_lane(block, lane));
}

#ifdef RINGLET_PAIR_FUNCTION
void RINGLET_PAIR_FUNCTION(const RINGLET_UNIFORMS& uniforms, const RINGLET_BLOCK& a,
                           const RINGLET_BLOCK& b) {
    RINGLET_PAIR_SUBSTEP<RINGLET_LANE_TYPE, WideN<IsaAvx512, 2 * kLanes>>(uniforms, a, b);
}
#endif

}  // namespace ringlet
