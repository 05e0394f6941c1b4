// Moves a groom that starts partly inside bodies out of them, before the simulation starts.
#pragma once

#include <span>

#include "base/parallel.h"
#include "collide/collider.h"
#include "strand/strand_set.h"

namespace ringlet {

struct BodyClearance {
    float tolerated;  // m; strands that are nowhere deeper are left as they are
    float height;     // m above the body where a moved vertex lies
};

// Moves each strand with a vertex inside a body onto the surface of that body. Roots stay, all
// segments keep their lengths, and the part of a strand that was outside slides along itself by the
// length that the detour over the surface takes. Near a root that is inside, vertices rise from it
// at an angle. `head` is the pose of the strands' frame in the frame of the bodies. Returns the
// number of strands moved.
int move_out_of_bodies(StrandSet& strands, const Rigidf& head,
                       std::span<const PlacedCollider> bodies, const BodyClearance& clearance,
                       const TaskPool& pool);

}  // namespace ringlet
