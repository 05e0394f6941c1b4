// Writes a plot as SVG: axes, ticks, curves, legend. Readable on white and on black.
#pragma once

#include <span>
#include <string>

#include "ringlet/validate.h"

namespace ringlet {

std::string to_svg(const Plot& plot);
// Several plots in one file, one below the other.
std::string to_svg(std::span<const Plot> plots);

}  // namespace ringlet
