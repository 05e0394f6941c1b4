// Which guides a strand follows: the nearest on the scalp of its own region, never across a
// parting.
#pragma once

#include "strand/children.h"

namespace ringlet {

// The first `guide_count` strands are the guides of the others; one entry per other strand.
std::vector<GuideWeights> choose_guides(const StrandSet& strands, int guide_count,
                                        const TaskPool& pool);

// The strands [first, end) of a set, as a set of their own.
StrandSet part_of(const StrandSet& strands, int first, int end);

}  // namespace ringlet
