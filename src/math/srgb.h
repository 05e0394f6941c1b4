// Conversion of colours in files.
#pragma once

#include <cmath>

namespace ringlet {

// IEC 61966-2-1. `c` is in [0, 1].
inline float linear_from_srgb(double c) {
    return static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
}

}  // namespace ringlet
