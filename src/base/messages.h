// Messages about a scene that is being loaded. Functions that load or check append to a Messages
// that the caller owns; the session shows them once, in the order in which they were added.
#pragma once

#include <string>
#include <vector>

#include "ringlet/warning.h"

namespace ringlet {

struct Messages {
    // What was guessed, one sentence each, and the key that overrides it: "head.glb: unit taken as
    // centimetres (set groom.mesh_units)".
    std::vector<std::string> assumptions;
    std::vector<Warning> warnings;
};

}  // namespace ringlet
