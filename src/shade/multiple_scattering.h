// Multiple scattering in a volume of hair: the averages of dual scattering (Zinke, Yuksel, Weber
// and Keyser 2008), computed from the fibre model and tabulated over inclination and colour.
#pragma once

#include <vector>

#include "shade/fibre.h"

namespace ringlet {

// Averages over the directions and offsets at which light meets a fibre.
struct ScatterAverages {
    float forward;          // a_f: share scattered into the half space away from the light
    float backward;         // a_b: share scattered back
    float forward_spread;   // beta_f: standard deviation of theta, forward, radians
    float backward_spread;  // beta_b: the same, backward
};

ScatterAverages scatter_averages(const Fibre& fibre, float absorption, float theta);

struct ScatterTable {
    static constexpr int kColours = 64;    // c in (0, 1), at the centres of equal steps of sqrt(c)
    static constexpr int kAngles = 16;     // |theta| in [0, pi/2], at the centres of equal steps
    std::vector<ScatterAverages> entries;  // [angle][colour]
};

ScatterTable scatter_table(const Fibre& fibre);

}  // namespace ringlet
