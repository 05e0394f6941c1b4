// Resampling of strands to another vertex count.
#pragma once

#include "strand/strand_set.h"

namespace ringlet {

// Resamples every strand to `vertex_count` vertices at equal distances along its polyline. Root and
// tip positions are copied exactly; colour and radius are interpolated; root UVs are kept. A strand
// of zero length is resampled by vertex index instead. A strand with one vertex keeps it.
// Precondition: vertex_count >= 2.
StrandSet resample(const StrandSet& strands, int vertex_count);

}  // namespace ringlet
