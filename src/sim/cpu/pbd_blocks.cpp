// Compiled once per lane kind, with RINGLET_LANE_TYPE and RINGLET_BLOCK_FUNCTION set by CMake.
#include "sim/cpu/pbd_blocks.h"

#include "math/wide8.h"

namespace ringlet {

namespace {

// The block seen from its lane-th strand on.
PbdBlock from_lane(PbdBlock block, int lane) {
    for (float** at : {&block.x, &block.v, &block.u, &block.normal, &block.offset, &block.touched,
                       &block.repaired})
        *at += lane;
    for (const float** at : {&block.w, &block.held, &block.is_held, &block.length, &block.bend})
        *at += lane;
    for (const float*& at : block.pair) at += at ? lane : 0;
    return block;
}

}  // namespace

void RINGLET_BLOCK_FUNCTION(const PbdUniforms& uniforms, const PbdBlock& block) {
    using F = RINGLET_LANE_TYPE;
    for (int lane = 0; lane < kLanes; lane += LaneTraits<F>::width)
        pbd_substep<F>(uniforms, from_lane(block, lane));
}

}  // namespace ringlet
