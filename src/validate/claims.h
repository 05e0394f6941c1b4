// Judges what a check measured against what the model claims.
#pragma once

#include "ringlet/validate.h"
#include "sim/model_entry.h"

namespace ringlet {

// Sets verdict, reason and, where the model states its own, the tolerance of a measured row.
void judge(CheckRow& row, std::span<const ModelClaim> claims);

}  // namespace ringlet
