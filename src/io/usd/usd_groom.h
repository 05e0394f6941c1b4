// Grooms in USD: the strands of all BasisCurves of a stage.
#pragma once

#include "io/usd/usda_layer.h"
#include "strand/strand_set.h"

namespace ringlet {

// The strands in metres and +Y up where the layer states its unit and axis, otherwise as stored. At
// the first time of animated curves. `name` is that of the file, for messages.
Result<StrandSet> usd_strands(const UsdaLayer& layer, const std::string& name);

}  // namespace ringlet
