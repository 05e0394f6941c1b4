// What light becomes that has met many hairs: the averages of dual scattering (Zinke, Yuksel, Weber
// and Keyser 2008) from the fibre model, as a table over inclination and colour.
#pragma once

#include <vector>

#include "shade/fibre.h"

namespace ringlet {

// Of light that meets a hair in a bundle.
struct ScatterAverages {
    float forward;         // share that goes on, into the half space away from the light: a_f
    float backward;        // share that is thrown back: a_b
    float forward_spread;  // standard deviation of theta of what goes on, radians: beta_f
    float backward_spread;
};

ScatterAverages scatter_averages(const Fibre& fibre, float absorption, float theta);

struct ScatterTable {
    static constexpr int kColours = 64;    // c in (0, 1), in the middle of equal steps of sqrt(c)
    static constexpr int kAngles = 16;     // |theta| in [0, pi/2], in the middle of equal steps
    std::vector<ScatterAverages> entries;  // [angle][colour]
};

ScatterTable scatter_table(const Fibre& fibre);

}  // namespace ringlet
