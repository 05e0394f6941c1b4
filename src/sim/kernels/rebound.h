// Restitution, shared by all models: a vertex leaves a collider with a fraction of its approach
// speed, relative to the collider.
#pragma once

#include "math/vec3.h"

namespace ringlet {

// m/s^2, twice gravity. A resting vertex approaches by g h in every substep; impacts slower than
// this times h count as resting and do not bounce.
inline constexpr float kRestingFall = 20;

// Rebound speed (m/s) along the normal; `approach` is positive towards the collider.
template <class F>
RINGLET_KERNEL F rebound_speed(F restitution, F approach, float h) {
    return select(approach > F(kRestingFall * h), restitution * approach, F(0));
}

}  // namespace ringlet
