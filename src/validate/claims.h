// What each model claims of each check.
#pragma once

#include "ringlet/validate.h"

namespace ringlet {

// Fills in verdict, reason and, where the model has its own, tolerance of a measured row.
void judge(CheckRow& row);

}  // namespace ringlet
