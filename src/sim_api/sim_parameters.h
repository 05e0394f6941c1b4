// Checks settings against the table of parameters.
#pragma once

#include "ringlet/parameters.h"

namespace ringlet {

// The Error names the first entry that is out of its range.
Result<void> check_parameters(const SimSettings& settings, const Wind& wind);

}  // namespace ringlet
