// Messages about a scene that is being loaded. Functions that load or check append to a Messages
// that the caller owns; the session shows them once, in the order in which they were added.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "ringlet/warning.h"

namespace ringlet {

struct Messages {
    // Guesses, one sentence each, and the key that overrides it: "head.glb: taken as centimetres
    // (set groom.mesh_units)".
    std::vector<std::string> assumptions;
    std::vector<Warning> warnings;

    bool empty() const { return assumptions.empty() && warnings.empty(); }
    bool operator==(const Messages&) const = default;
    // Appends the messages of `more` that are not here yet: heads that share a file repeat them.
    void add(const Messages& more) {
        for (const std::string& text : more.assumptions)
            if (std::ranges::find(assumptions, text) == assumptions.end())
                assumptions.push_back(text);
        for (const Warning& warning : more.warnings)
            if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
    }
};

}  // namespace ringlet
