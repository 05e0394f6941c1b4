// A plot as an SVG file: axes, ticks, curves, legend. Plain text, readable on white and on black.
#pragma once

#include <string>

#include "ringlet/validate.h"

namespace ringlet {

std::string to_svg(const Plot& plot);

}  // namespace ringlet
