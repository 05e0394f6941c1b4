// Joins sets of strands, for grooms that consist of several parts.
#pragma once

#include <span>

#include "base/parallel.h"
#include "strand/strand_set.h"

namespace ringlet {

// All strands, one set after the other. They have an appearance if those of the first set do; then
// all sets must have one. Precondition: `sets` is not empty.
StrandSet join_strands(std::span<const StrandSet> sets, const TaskPool& pool);

// Copies colour and radius to strands `first`, `first` + 1, ... of `to`, which has an appearance.
void copy_appearance(const StrandSet& from, int first, StrandSet& to, const TaskPool& pool);

}  // namespace ringlet
