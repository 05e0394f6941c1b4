// The pbd kernel compiled for each lane kind. One call advances all strands of a block.
#pragma once

#include "sim/model.h"
#include "sim/models/pbd_kernel.h"

namespace ringlet {

using PbdBlockFunction = void (*)(const PbdUniforms& uniforms, const PbdBlock& block);

void pbd_block_scalar(const PbdUniforms& uniforms, const PbdBlock& block);
void pbd_block_wide8(const PbdUniforms& uniforms, const PbdBlock& block);
void pbd_block_avx2(const PbdUniforms& uniforms, const PbdBlock& block);

// Automatic: AVX2 where this machine has it.
LaneKind choose_lanes(LaneKind wanted);
PbdBlockFunction pbd_block_function(LaneKind lanes);

}  // namespace ringlet
