#include <algorithm>

#include "sim/cuda/cuda_device.h"

namespace ringlet {

namespace {

// Threads copy contiguous elements, several each.
__global__ void copy(const float4* from, float4* to, int count) {
    for (int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); k < count;
         k += static_cast<int>(gridDim.x * blockDim.x))
        to[k] = from[k];
}

}  // namespace

double CudaDevice::measure_bandwidth() {
    constexpr int kCount = 1 << 25;  // 512 MB, far more than any cache
    constexpr int kRepeats = 9, kThreads = 256, kPerThread = 8;
    const DeviceArray<float4> from(kCount), to(kCount);
    check_cuda(cudaMemsetAsync(from.data(), 0, from.byte_count(), stream()));
    double best = 0;
    for (int n = 0; n < kRepeats; ++n) {
        mark(0);
        copy<<<kCount / (kThreads * kPerThread), kThreads, 0, stream()>>>(from.data(), to.data(),
                                                                          kCount);
        mark(1);
        best = std::max(best, 2 * static_cast<double>(from.byte_count()) / seconds_between(0, 1));
    }
    check_cuda(cudaGetLastError());
    return best;
}

}  // namespace ringlet
