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

// Scattering of light from all directions by fibres in all directions. Fibres scatter most light
// forward. By the similarity relation of radiative transfer (van de Hulst 1980, chapter 14) such a
// volume looks like one that scatters evenly, where forward-scattered light counts as unscattered.
struct SoftScatter {
    float forward;  // the share of the light that counts as unscattered: albedo times mean cosine
    float albedo;   // of the rest: the share that is scattered and not absorbed
};

// Averages over directions at the rates at which even light meets a fibre.
SoftScatter soft_scatter(const Fibre& fibre, float absorption);

struct ScatterTable {
    static constexpr int kColours = 64;    // c in (0, 1), at the centres of equal steps of sqrt(c)
    static constexpr int kAngles = 16;     // |theta| in [0, pi/2], at the centres of equal steps
    std::vector<ScatterAverages> entries;  // [angle][colour]
    std::vector<SoftScatter> soft;         // [colour]
};

ScatterTable scatter_table(const Fibre& fibre);

}  // namespace ringlet
