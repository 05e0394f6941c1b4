// The settings that the tests of the model rod share.
#pragma once

#include "validate/lab.h"

namespace ringlet::lab {

// Two substeps without air drag.
inline SimSettings rod_settings() {
    SimSettings out;
    out.model = model_named("rod");
    out.substeps = 2;
    out.damping = 0;
    return out;
}

}  // namespace ringlet::lab
