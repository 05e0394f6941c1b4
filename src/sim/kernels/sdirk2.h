// A second-order time step of two backward Euler stages: the L-stable SDIRK method of Alexander,
// "Diagonally implicit Runge-Kutta methods for stiff O.D.E.'s", SIAM J. Numer. Anal. 14 (1977).
//
// With g = 1 - 1/sqrt(2), a step of length H from y is
//     y1 = y + g H f(y1)                       the first stage, at time g H
//     y* = y + (1 - g) H f(y1) = y1 + sqrt(2) (y1 - y)
//     y2 = y* + g H f(y2)                      the second stage, the end of the step
// so that both stages are backward Euler steps of length g H, and the first stage can end by
// writing y* in place of y. Backward Euler damps an oscillation by omega h / 2 of its critical
// damping; this method damps it by a term of third order in omega H.
#pragma once

namespace ringlet {

// The part of a time step that a substep is.
enum class StepStage {
    whole,   // a step of backward Euler
    first,   // the first stage of a second-order step; ends with y*
    second,  // the second stage
};

namespace sdirk2 {

inline constexpr float kGamma = 0.292893219f;         // g
inline constexpr float kExtrapolation = 1.41421356f;  // (y* - y1) / (y1 - y) = (1 - 2 g) / g
// The second stage as a backward Euler step from y1: its length (1 - g) H over g H.
inline constexpr float kLongStage = 2.41421356f;

}  // namespace sdirk2

}  // namespace ringlet
