// Chooses how an imported groom is placed on the head.
#pragma once

#include "session/assets/groom_source.h"

namespace ringlet {

// Moves strands from the coordinates of the groom file to the head's frame: as the scene states, if
// the roots then lie on the skin; otherwise from the coordinates of the head's file; otherwise by a
// fit to the scalp, unless groom.file_fit is "none". The roots of a groom made for another head are
// then moved onto the scalp, unless groom.file_fit is "rigid". A strip of roots that no rigid fit
// lays over the head is bent over it. Without a head, the unit follows from the size of the groom.
// Appends the assumptions to `messages`.
Result<void> place_groom(const Scene& scene, StrandSet& strands, const HeadMesh& head,
                         Messages& messages);

// Moves each strand so that its root lies on the scalp.
void snap_roots(const Mesh& scalp, StrandSet& strands);

// The triangles that hair grows on: those of groom.scalp if the mesh has such a material or group,
// otherwise the cap of the head, otherwise all.
Mesh scalp_of(const Scene& scene, const Mesh& mesh);

}  // namespace ringlet
