// Chooses how an imported groom is placed on the head.
#pragma once

#include "session/assets/groom_source.h"

namespace ringlet {

// From the coordinates of the groom file to the head's frame: what the scene states, if the roots
// then lie on the skin; otherwise the coordinates of the head's file; otherwise a fit to the scalp,
// unless groom.file_fit is "none". `strands` are as in the file. Appends what was assumed.
Result<Placement> choose_groom_placement(const Scene& scene, const StrandSet& strands,
                                         const HeadMesh& head, Messages& messages);

// The triangles that hair grows on: those of groom.scalp if the mesh has such a material or group,
// otherwise the cap of the head, otherwise all.
Mesh scalp_of(const Scene& scene, const Mesh& mesh);

void place_strands(const Placement& placement, StrandSet& strands);

}  // namespace ringlet
