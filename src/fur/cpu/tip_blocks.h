// The tip kernel, compiled once per lane kind. Each function processes all lanes of the blocks.
#pragma once

#include "fur/tip_kernel.h"

namespace ringlet {

void tip_block_scalar(const TipUniforms& uniforms, const TipBlocks& blocks);
void tip_block_wide8(const TipUniforms& uniforms, const TipBlocks& blocks);
void tip_block_avx2(const TipUniforms& uniforms, const TipBlocks& blocks);
void tip_block_avx512(const TipUniforms& uniforms, const TipBlocks& blocks);

}  // namespace ringlet
