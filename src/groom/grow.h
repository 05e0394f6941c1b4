// Grows strands on a mesh. The result is the rest shape, in the mesh's frame, in metres.
#pragma once

#include "base/parallel.h"
#include "geom/mesh.h"
#include "groom/maps.h"
#include "groom/settings.h"
#include "groom/skin.h"
#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

// Returns `settings.strands` strands scattered over the mesh, followed by the planted strands.
// `mesh` may be empty when there are only planted strands. A strand's shape depends only on the
// settings, its number and the seed. The strands have no colour and radius until paint().
Result<StrandSet> grow(const GroomSettings& settings, const GroomMaps& maps, const Mesh& mesh,
                       const TaskPool& pool);

// Reuses the skin of an earlier call: computing it takes longer than growing the strands.
Result<StrandSet> grow(const GroomSettings& settings, const GroomMaps& maps, const Mesh& mesh,
                       const Skin& skin, const TaskPool& pool);

// Sets the colour and radius of every vertex. `settings` are those the strands were grown with.
void paint(const GroomSettings& settings, const GroomMaps& maps, StrandSet& strands,
           const TaskPool& pool);

}  // namespace ringlet
