// From settings and a body to strands at rest, in the body's own frame.
#pragma once

#include "base/parallel.h"
#include "geom/mesh.h"
#include "groom/maps.h"
#include "groom/settings.h"
#include "groom/skin.h"
#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

// Strands scattered over the body, then those planted by hand. `body` may be empty when there are
// only the latter. What a strand is like depends on its number and the seed alone. They have no
// looks until they are painted.
Result<StrandSet> grow(const GroomSettings& settings, const GroomMaps& maps, const Mesh& body,
                       const TaskPool& pool);

// The same, for those who grow more than once on one body: its skin takes longer than the hair.
Result<StrandSet> grow(const GroomSettings& settings, const GroomMaps& maps, const Mesh& body,
                       const Skin& skin, const TaskPool& pool);

// Colour and radius of every vertex, by the settings they were grown by.
void paint(const GroomSettings& settings, const GroomMaps& maps, StrandSet& strands,
           const TaskPool& pool);

// Which side of the parting a root is on: -1 or 1, or 0 where there is no parting.
int side_of_parting(const CombSettings& comb, Vec3f root);

}  // namespace ringlet
