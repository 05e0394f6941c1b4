// Assigns guides to strands: each strand follows the guides with the nearest roots in its own
// region, never across a parting.
#pragma once

#include "strand/children.h"

namespace ringlet {

// The first `guide_count` strands are the guides. Returns one entry for each of the other strands.
std::vector<GuideWeights> choose_guides(const StrandSet& strands, int guide_count,
                                        const TaskPool& pool);

// Copies the strands [first, end).
StrandSet part_of(const StrandSet& strands, int first, int end);

}  // namespace ringlet
