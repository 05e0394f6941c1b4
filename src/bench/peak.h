// Loops of products and sums, each compiled for one instruction set (peak.cpp).
#pragma once

namespace ringlet::speed {

// Runs `rounds` rounds and returns the number of floating-point operations. Stores a result that
// depends on all of them in `sink`, so that the compiler keeps the loop.
using PeakLoop = double (*)(int rounds, float* sink);
double peak_portable(int rounds, float* sink);
double peak_avx2(int rounds, float* sink);
double peak_fma(int rounds, float* sink);

}  // namespace ringlet::speed
