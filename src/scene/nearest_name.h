// "Did you mean": the known name that is fewest edits away from what was typed.
#pragma once

#include <span>
#include <string>

namespace ringlet {

// Empty if nothing is near (more than a third of the letters and one would have to change).
std::string nearest_name(const std::string& typed, std::span<const std::string> known);

}  // namespace ringlet
