// The public names of lanes, for other modules.
#pragma once

#include "math/lane_choice.h"
#include "ringlet/backend.h"

namespace ringlet {

LaneKind lane_kind(Lanes lanes);

}  // namespace ringlet
