// Defines block_functions (sim/kernel_protocol.h). Only the files that CMake writes from
// run_block.cpp.in include this; each is compiled for the instruction set of its lane type.
#pragma once

#include <type_traits>

#include "math/counted.h"
#include "math/wide8.h"
#include "sim/kernel_protocol.h"

namespace ringlet {

template <class Kernel, class F>
void run_block(const typename Kernel::Uniforms& uniforms, const typename Kernel::Block& block) {
    for (int lane = 0; lane < kLanes; lane += LaneTraits<F>::width)
        Kernel::template substep<F>(uniforms, from_lane(block, lane));
}

template <class Kernel, class F>
void run_pair(const typename Kernel::Uniforms& uniforms, const typename Kernel::Block& a,
              const typename Kernel::Block& b) {
    Kernel::template substep_pair<F, WideN<IsaAvx512, 2 * kLanes>>(uniforms, a, b);
}

template <class Kernel, class F>
BlockFunctions<Kernel> block_functions() {
    if constexpr (Kernel::kHasPairs && std::is_same_v<F, Wide8<IsaAvx512>>)
        return {&run_block<Kernel, F>, &run_pair<Kernel, F>};
    else
        return {&run_block<Kernel, F>, nullptr};
}

}  // namespace ringlet
