// Drag of air on a thin cylinder, for `sim.drag = "slender_body"`: across and along its axis.
//
// A resistance is the force per length over viscosity and speed, without unit. Across, it is the
// larger of two laws:
//   - measured drag of long cylinders, Sucker and Brauer, Wärme- und Stoffübertragung 8 (1975),
//     C_D = 1.18 + 6.8 Re^-0.89 + 1.96 Re^-0.5 - 0.0004 Re/(1 + 3.64e-7 Re^2), Re = U d/nu from
//     1e-4 to 2e5, and the resistance is Re C_D/2;
//   - the creeping flow about a cylinder of length L, 4 pi/(ln(L/a) + ln 2 - 1/2), Cox, Journal of
//     Fluid Mechanics 44 (1970): at such low speeds the length limits the flow.
// Along:
//   - the laminar boundary layer of a cylinder that is thin compared to it,
//     4 pi/(ln(4 nu x/(U a^2)) - 2 gamma) at the distance x from its end, Glauert and Lighthill,
//     Proceedings of the Royal Society A 230 (1955), here its mean over the length;
//   - the creeping flow, 2 pi/(ln(L/a) + ln 2 - 3/2), Cox.
// A hair has Re from 0.01 (2 mm/s) to 100 (20 m/s). Not included: the dependence of either part on
// the speed of the other, the history of the flow, and the air that other strands move.
#pragma once

#include "math/elementary.h"

namespace ringlet {

// The strand's part of the laws.
template <class F>
struct SlenderStrand {
    F creeping_across, creeping_along;  // resistances
    F layer;  // the denominator of the boundary layer's resistance at 1 m/s
};

namespace slender {

inline constexpr float kAirDensity = 1.204f;      // kg/m^3, at 20 degrees Celsius
inline constexpr float kAirViscosity = 1.81e-5f;  // Pa s
inline constexpr float kKinematicViscosity = kAirViscosity / kAirDensity;

// Below it the boundary layer is no longer thick compared to the strand.
inline constexpr float kThinnestLayer = 2;

RINGLET_KERNEL SlenderStrand<float> strand_of(float radius, float length) {
    const float ratio = max(length / radius, 20.0f), size = log(ratio);
    // The mean over the length of 1/(ln x - c) is close to 1/(ln L - 1 - c).
    const float layer = log(4 * kKinematicViscosity * ratio / radius) - 1.15443133f - 1;
    return {4 * kPi / (size + 0.193147181f), 2 * kPi / (size - 0.806852819f), layer};
}

template <class F>
RINGLET_KERNEL F resistance_across(const SlenderStrand<F>& strand, F reynolds) {
    const F re = max(reynolds, F(1e-6f)), square = re * re;
    const F measured = F(0.59f) * re + F(3.4f) * exp(F(0.11f) * log(re)) + F(0.98f) * sqrt(re) -
                       F(2e-4f) * square / (F(1) + F(3.64e-7f) * square);
    return max(measured, strand.creeping_across);
}

template <class F>
RINGLET_KERNEL F resistance_along(const SlenderStrand<F>& strand, F speed) {
    const F layer = strand.layer - log(max(speed, F(1e-9f)));
    return max(F(4 * kPi) / max(layer, F(kThinnestLayer)), strand.creeping_along);
}

}  // namespace slender

}  // namespace ringlet
