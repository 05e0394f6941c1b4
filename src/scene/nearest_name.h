// Suggests the known name with the smallest edit distance to what the user typed.
#pragma once

#include <span>
#include <string>

namespace ringlet {

// Empty if the distance is more than a third of the typed letters plus one.
std::string nearest_name(const std::string& typed, std::span<const std::string> known);

}  // namespace ringlet
