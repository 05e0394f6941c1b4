// The loop of peak.h; CMake sets its name and the instruction set.
#include "bench/peak.h"

namespace ringlet::speed {

namespace {

typedef float Floats __attribute__((vector_size(32)));

// Independent chains of operations: enough to fill two pipelines for the latency of one operation.
constexpr int kChains = 12;

}  // namespace

double RINGLET_PEAK_LOOP(int rounds, float* sink) {
    Floats a[kChains];
    for (int k = 0; k < kChains; ++k)
        for (int lane = 0; lane < 8; ++lane) a[k][lane] = static_cast<float>(k + lane);
    const Floats by = Floats{} + 0.999f, more = Floats{} + 0.001f;
    for (int n = 0; n < rounds; ++n)
#pragma GCC unroll 12
        for (int k = 0; k < kChains; ++k) a[k] = a[k] * by + more;
    Floats sum{};
    for (int k = 0; k < kChains; ++k) sum += a[k];
    *sink = sum[0] + sum[7];
    return 2.0 * 8 * kChains * rounds;
}

}  // namespace ringlet::speed
