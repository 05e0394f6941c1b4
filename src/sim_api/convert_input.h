// Copies what a program passes to HairSim into the structures of the library.
#pragma once

#include "base/parallel.h"
#include "collide/collider.h"
#include "geom/mesh.h"
#include "ringlet/sim.h"
#include "strand/strand_set.h"

namespace ringlet {

// The strands have been checked. `in_even_order` spreads the strands of each block over the head
// (strand/even_order.h); otherwise they are neighbours.
StrandSet to_strand_set(const StrandArrays& strands, bool in_even_order);
// StrandArrays::rest_frames, which have been checked, with length 1; empty if there are none.
Channel<4> to_frames(std::span<const float> from, const LayoutRef& layout);
// The mesh has been checked.
Mesh to_mesh(const SimMesh& from);
// `from` holds x, y and z of each position.
void copy_positions(std::span<const float> from, std::span<Vec3f> to);
// The Error names the collider at fault.
Result<std::vector<Collider>> to_colliders(std::span<const SimCollider> colliders,
                                           const TaskPool& pool);

}  // namespace ringlet
