#pragma once

#include "ringlet/settings.h"

namespace ringlet {

// Friction, repulsion and pressure between strands, all at once.
inline SimSettings coupled_settings() {
    SimSettings out;
    out.hair_hair.friction = 10;
    out.hair_hair.friction_per_step = 0.05f;
    out.hair_hair.repulsion = 1;
    out.hair_hair.repulsion_per_step = 1e-5f;
    out.hair_hair.volume = 2;
    return out;
}

}  // namespace ringlet
