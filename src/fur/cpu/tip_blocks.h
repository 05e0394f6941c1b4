// The tip kernel over the blocks of a coat.
#pragma once

#include "fur/tip_kernel.h"

namespace ringlet {

// Processes all lanes of the blocks. Instantiated for each lane kind, in files that CMake writes
// from tip_blocks.cpp.in.
template <class F>
void tip_block(const TipUniforms& uniforms, const TipBlocks& blocks);

}  // namespace ringlet
