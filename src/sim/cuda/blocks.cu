// A model's kernel on a GPU, one thread a strand. Compiled once per model: CMake sets the kernel
// header, its types and its functions, as for cpu/blocks.cpp.
#include RINGLET_KERNEL_HEADER

#include "sim/cuda/check.h"
#include "sim/device.h"

namespace ringlet {

namespace {

constexpr int kThreads = 128;

// Eight threads take one block after another; what they need meanwhile is theirs, so that it stays
// in the cache.
__global__ void __launch_bounds__(kThreads)
    advance(const DeviceLaunch launch, const RINGLET_UNIFORMS uniforms, RINGLET_BLOCK first) {
    const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int lane = thread % kLanes, worker = thread / kLanes;
    if (worker >= launch.scratch_blocks) return;
    give_scratch(first, launch.scratch + static_cast<std::size_t>(worker) * launch.most_rows *
                                             RINGLET_BLOCK::kScratch * kLanes);
    for (int b = worker; b < launch.block_count; b += launch.scratch_blocks)
        RINGLET_SUBSTEP<float>(
            uniforms, from_lane(at_block(first, b, launch.first_rows[b], launch.rows[b]), lane));
}

}  // namespace

void RINGLET_DEVICE_FUNCTION(const DeviceLaunch& launch, const RINGLET_UNIFORMS& uniforms,
                             const RINGLET_BLOCK& first) {
    const int threads = launch.scratch_blocks * kLanes;
    advance<<<(threads + kThreads - 1) / kThreads, kThreads, 0,
              static_cast<cudaStream_t>(launch.stream)>>>(launch, uniforms, first);
    check_cuda(cudaGetLastError());
}

}  // namespace ringlet
