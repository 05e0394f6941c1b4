// Strands with another number of vertices, evenly spaced along the same curve.
#pragma once

#include "strand/strand_set.h"

namespace ringlet {

// Every strand gets `vertex_count` vertices at equal distances along its polyline; root and tip
// stay to the bit, colour and radius are interpolated, root UVs are kept. A strand of no length is
// divided by vertex number instead. A strand of one vertex, a root without hair, stays one.
// Precondition: vertex_count >= 2.
StrandSet resample(const StrandSet& strands, int vertex_count);

}  // namespace ringlet
