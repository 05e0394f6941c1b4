// Loops that do nothing but sums and products, compiled for one instruction set each (peak.cpp).
#pragma once

namespace ringlet::speed {

// Runs `rounds` rounds and returns how many floating-point operations that was; `sink` gets a
// number that depends on all of them.
using PeakLoop = double (*)(int rounds, float* sink);
double peak_portable(int rounds, float* sink);
double peak_avx2(int rounds, float* sink);
double peak_fma(int rounds, float* sink);

}  // namespace ringlet::speed
