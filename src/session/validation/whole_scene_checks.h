// Checks that need a whole scene, beside those of src/validate.
#pragma once

#include "validate/check.h"

namespace ringlet {

std::span<const Check> scene_checks();

}  // namespace ringlet
