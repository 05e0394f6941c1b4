// The stiffness of the rod's joints on coarse strands.
#pragma once

#include <algorithm>

#include "math/lanes.h"

namespace ringlet::rod {

// Strands with up to kCoarse segments get the whole correction of root_stiffening(), strands with
// kFine or more none: there the plain joints are accurate, and converge at second order.
inline constexpr int kCoarse = 16, kFine = 31;

// The factor on the stiffness of the root's joint, 2 EI/l, for a strand of `length` (m) whose first
// segment has the length `first` (m). `curving` is rho A |g|/EI (1/m^3).
//
// A heavy strand bends at its clamp within sqrt(EI/T), where T is its weight. Where a segment is
// longer than that, the bending moment decreases along the segment, but its joint bends as if the
// whole half segment had the moment of the clamp: the strand droops too far. Let f be the factor
// for which a chain under constant tension, clamped at a small angle, reaches as far sideways as
// the continuous rod. With decaying exponentials for both, f = (1 + t + sqrt(1 + t^2))/2,
// t = (l/2) sqrt(T/EI). At larger angles f is smaller: with T/8 instead of T/4 in t^2, droop is
// within 2 % for a horizontal clamp with 7 or more segments up to Gamma = T L^2/EI = 250. The term
// 1/L^2 is the limit of low weight, where the moment decreases over the length of the strand.
inline float root_stiffening(int segments, float first, float length, float curving) {
    const float coarse = static_cast<float>(kFine - segments) / static_cast<float>(kFine - kCoarse);
    if (!(coarse > 0) || !(length > 0)) return 1;
    const float any_t2 = first * first * (1 / (length * length) + 0.125f * curving * length);
    const float t2 = std::min(any_t2, 1e6f);  // beyond that, EI may underflow
    const float factor = 0.5f * (1 + sqrt(t2) + sqrt(1 + t2));
    return 1 + std::min(coarse, 1.0f) * (factor - 1);
}

}  // namespace ringlet::rod
