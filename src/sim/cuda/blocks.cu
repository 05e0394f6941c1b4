// A kernel over blocks on a GPU, one thread a strand. Compiled once per kernel: CMake sets the
// kernel header, its types and its functions, as for cpu/blocks.cpp.
#include RINGLET_KERNEL_HEADER

#include "sim/cuda/cuda_device.h"
#include "strand/row_stream.h"

namespace ringlet {

namespace {

constexpr int kThreads = kStreamThreads;

// Fast memory of the block of threads, kAhead floats a strand (strand/row_stream.h).
template <class Block>
concept AsksAhead = requires {
    Block::kAhead;
};

template <class Block>
constexpr int shared_bytes() {
    if constexpr (AsksAhead<Block>)
        return Block::kAhead * kThreads * static_cast<int>(sizeof(float));
    return 0;
}

template <class Block>
__device__ void give_ahead(Block& block) {
    extern __shared__ float ahead[];
    if constexpr (AsksAhead<Block>) block.ahead = ahead + threadIdx.x;
}

// A kernel none of whose rows waits for another. Where strands are few, warps take a few rows of a
// group each, so that there is enough to do at a time.
template <class Block>
concept HasLooseRows = requires(Block block) {
    block.from;
    block.to;
};
constexpr int kLooseRows = 8, kFewGroups = 8192;

template <class Block>
int launches_per_group(const DeviceStrands& strands) {
    const bool apart = HasLooseRows<Block> && strands.group_count < kFewGroups;
    return apart ? (strands.most_rows + kLooseRows - 1) / kLooseRows : 1;
}
template <class Block>
__device__ void take_rows(Block& block) {
    if constexpr (HasLooseRows<Block>)
        if (gridDim.y > 1) {
            block.from = static_cast<int>(blockIdx.y) * kLooseRows;
            block.to = block.from + kLooseRows;
        }
}

// Left to itself the compiler spills registers for the sake of more threads, of which none is
// needed to wait for memory.
__global__ void __launch_bounds__(kThreads, 1)
    run_blocks(const BlockLaunch launch, const RINGLET_UNIFORMS uniforms, RINGLET_BLOCK first) {
    const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / kWarp);
    const int lane = static_cast<int>(threadIdx.x % kWarp);
    if (warp >= launch.warp_count) return;
    const DeviceStrands& strands = launch.strands;
    take_rows(first);
    give_scratch(first, launch.scratch + static_cast<std::size_t>(warp) * launch.warp_scratch);
    for (int g = warp; g < strands.group_count; g = launch.next_group(lane)) {
        const int rows = strands.rows[g * kWarpBlocks + lane / kLanes];
        if (rows > 0) {
            RINGLET_BLOCK strand = from_lane(at_block(first, g, strands.first_rows[g], rows), lane);
            give_ahead(strand);
            RINGLET_SUBSTEP<float>(uniforms, strand);
        }
    }
}

}  // namespace

void RINGLET_DEVICE_FUNCTION(Device& device, const RINGLET_UNIFORMS& uniforms,
                             const RINGLET_BLOCK& first) {
    auto& cuda = static_cast<CudaDevice&>(device);
    const BlockLaunch launch =
        HasLooseRows<RINGLET_BLOCK>
            ? cuda.launch_of_all()
            : cuda.prepare(reinterpret_cast<const void*>(run_blocks), kThreads,
                           shared_bytes<RINGLET_BLOCK>(), RINGLET_BLOCK::kScratch);
    const int threads = launch.warp_count * kWarp;
    if (threads == 0) return;
    const dim3 grid(static_cast<unsigned>((threads + kThreads - 1) / kThreads),
                    static_cast<unsigned>(launches_per_group<RINGLET_BLOCK>(launch.strands)));
    run_blocks<<<grid, kThreads, shared_bytes<RINGLET_BLOCK>(), cuda.stream()>>>(launch, uniforms,
                                                                                 first);
    check_cuda(cudaGetLastError());
}

}  // namespace ringlet
