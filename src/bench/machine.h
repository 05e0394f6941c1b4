// What the machine can do at most: single-precision arithmetic and memory traffic. Measured, not
// looked up: clocks, virtual machines and neighbours differ.
#pragma once

#include <cstdint>

namespace ringlet::speed {

// Billions of floating-point operations a second on one core, eight lanes wide: sums and products
// apart, as Ringlet's kernels do them (contracting would change bits), and fused for comparison.
struct PeakRate {
    double separate = 0, fused = 0;
};
PeakRate measure_peak_rate();

// GB/s of one core reading two arrays and writing a third, much larger than the caches.
double measure_bandwidth();

// The largest memory of the process since the last reset, bytes; where the system cannot reset it,
// since it began.
void reset_peak_memory();
std::int64_t peak_memory();

// CPU time of this thread, s: what others do on a busy machine does not count.
double thread_seconds();
// CPU time of the whole process, s.
double process_seconds();
// Wall clock, s.
double wall_seconds();

}  // namespace ringlet::speed
