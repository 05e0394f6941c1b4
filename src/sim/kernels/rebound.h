// Restitution, as every model has it: what meets a body leaves it by a share of the speed it came
// with, relative to the body.
#pragma once

#include "math/vec3.h"

namespace ringlet {

// m/s^2, twice gravity. What rests on a body falls onto it again by g h in every substep; impacts
// no faster than this times h are rest, and do not bounce.
inline constexpr float kRestingFall = 20;

// m/s, along the normal; `approach` is positive towards the body.
template <class F>
RINGLET_KERNEL F rebound_speed(F restitution, F approach, float h) {
    return select(approach > F(kRestingFall * h), restitution * approach, F(0));
}

}  // namespace ringlet
