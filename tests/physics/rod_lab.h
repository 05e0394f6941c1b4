// The settings that the tests of the model rod share.
#pragma once

#include <string>

#include "sim/models/registry.h"
#include "validate/lab.h"

namespace ringlet::lab {

// Two substeps without air drag.
inline SimSettings rod_settings() {
    SimSettings out;
    for (std::size_t k = 0; k < all_models().size(); ++k)
        if (std::string(all_models()[k].name) == "rod") out.model = static_cast<int>(k);
    out.substeps = 2;
    out.damping = 0;
    return out;
}

}  // namespace ringlet::lab
