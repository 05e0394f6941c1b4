// Defines tip_block. Only the files that CMake writes from tip_blocks.cpp.in include this; each is
// compiled for the instruction set of its lane type.
#pragma once

#include "fur/cpu/tip_blocks.h"
#include "math/wide8.h"

namespace ringlet {

template <class F>
void tip_block(const TipUniforms& uniforms, const TipBlocks& blocks) {
    for (int lane = 0; lane < kTipLanes; lane += LaneTraits<F>::width)
        move_tips<F>(uniforms, from_lane(blocks, lane));
}

}  // namespace ringlet
