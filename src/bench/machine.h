// Measures the peak rates of the machine: single-precision arithmetic and memory bandwidth.
// Measured, because clock rates, virtual machines and other load differ.
#pragma once

#include <cstdint>

namespace ringlet::speed {

// GFLOP/s of one core, eight lanes wide: with separate products and sums, as in Ringlet's kernels
// (fusing would change bits), and fused (0 if the processor has no fused operations).
struct PeakRate {
    double separate = 0, fused = 0;
};
PeakRate measure_peak_rate();

// GB/s of one core that reads two arrays and writes a third, all much larger than the caches.
double measure_bandwidth();

// Peak memory of the process in bytes since the last reset, or since its start if the system cannot
// reset it.
void reset_peak_memory();
std::int64_t peak_memory();

// CPU time of this thread in s; not affected by other load.
double thread_seconds();
// CPU time of the process in s.
double process_seconds();
// Wall-clock time in s.
double wall_seconds();

}  // namespace ringlet::speed
