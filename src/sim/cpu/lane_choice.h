// The copies of a model's kernel, of which math/lane_choice.h picks one.
#pragma once

#include "math/lane_choice.h"

namespace ringlet {

// Advances all strands of a block by a substep.
template <class Uniforms, class Block>
using BlockFunction = void (*)(const Uniforms& uniforms, const Block& block);

}  // namespace ringlet
