// The azimuthal part of the fibre model, averaged over a fibre's width, as a table for renderers
// that do not see where across its width light meets a strand.
#pragma once

#include <vector>

#include "shade/fibre.h"

namespace ringlet {

// The mean over h of lobe_shares() times spread_around(): with spread_along() of the lobe it is the
// scattering function of a fibre that is thinner than a pixel.
struct AzimuthTable {
    // |azimuth| in [0, pi], |theta| in [0, pi/2] and sqrt(colour) in [0, 1], at the centres of
    // equal steps.
    static constexpr int kAzimuths = 64, kAngles = 16, kColours = 32;
    std::vector<FibreLobes> entries;  // [colour][angle][azimuth]
};

// Does not depend on the longitudinal roughness. `theta` is the inclination of the side at which
// paths begin, that of the eye.
AzimuthTable azimuth_table(const Fibre& fibre);

}  // namespace ringlet
