// From settings and a body to strands at rest, in the body's own frame.
#pragma once

#include "base/parallel.h"
#include "geom/mesh.h"
#include "groom/settings.h"
#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

// `body` may be empty when the settings plant strands by hand only.
Result<StrandSet> grow(const GroomSettings& settings, const Mesh& body, const TaskPool& pool);

}  // namespace ringlet
