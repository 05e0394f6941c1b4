// The tip kernel over the lanes of blocks, once per lane kind.
#pragma once

#include "fur/tip_kernel.h"

namespace ringlet {

void tip_block_scalar(const TipUniforms& uniforms, const TipBlocks& blocks);
void tip_block_wide8(const TipUniforms& uniforms, const TipBlocks& blocks);
void tip_block_avx2(const TipUniforms& uniforms, const TipBlocks& blocks);
void tip_block_avx512(const TipUniforms& uniforms, const TipBlocks& blocks);

}  // namespace ringlet
