// Conversion of strands to the arrays of the public interface.
#pragma once

#include <span>

#include "ringlet/groom_arrays.h"
#include "strand/strand_set.h"

namespace ringlet {

// Colours and widths are left out if the strands have none.
GroomArrays to_arrays(const StrandView& strands, std::span<const Vec2f> root_uv);

}  // namespace ringlet
