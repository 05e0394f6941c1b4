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
concept Prefetches = requires {
    Block::kPrefetchFloats;
};

template <class Block>
constexpr int shared_bytes() {
    if constexpr (Prefetches<Block>)
        return Block::kPrefetchFloats * kThreads * static_cast<int>(sizeof(float));
    return 0;
}

template <class Block>
__device__ void set_prefetch_buffer(Block& block) {
    extern __shared__ float buffer[];
    if constexpr (Prefetches<Block>) block.prefetch_buffer = buffer + threadIdx.x;
}

// A kernel none of whose rows waits for another. Where strands are few, warps take a few rows of a
// group each, so that there is enough to do at a time.
template <class Block>
concept HasIndependentRows = requires(Block block) {
    block.from;
    block.to;
};
constexpr int kRowChunk = 8, kFewGroups = 8192;

int row_chunks(const DeviceStrands& strands) {
    return (strands.max_rows + kRowChunk - 1) / kRowChunk;
}
template <class Block>
int launches_per_group(const DeviceStrands& strands) {
    const bool apart = HasIndependentRows<Block> && strands.group_count < kFewGroups;
    return apart ? row_chunks(strands) : 1;
}
template <class Block>
__device__ void set_row_range(Block& block) {
    if constexpr (HasIndependentRows<Block>)
        if (gridDim.y > 1) {
            block.from = static_cast<int>(blockIdx.y) * kRowChunk;
            block.to = block.from + kRowChunk;
        }
}

// The lane-th strand of a group of 32, or one without rows.
__device__ RINGLET_BLOCK strand_of(const DeviceStrands& strands, const RINGLET_BLOCK& first, int g,
                                   int lane) {
    const int rows = strands.rows[g * kWarpBlocks + lane / kLanes];
    return from_lane(at_block(first, g, strands.first_rows[g], rows), lane);
}

#ifdef RINGLET_ROWS_FIRST
// What rows do by themselves before the strands' turn comes. It needs few registers, so that many
// threads wait for memory at a time.
__global__ void __launch_bounds__(kThreads)
    run_rows(const BlockLaunch launch, const RINGLET_UNIFORMS uniforms, const RINGLET_BLOCK first) {
    const int g = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / kWarp);
    if (g >= launch.strands.group_count) return;
    const RINGLET_BLOCK strand =
        strand_of(launch.strands, first, g, static_cast<int>(threadIdx.x % kWarp));
    const int from = static_cast<int>(blockIdx.y) * kRowChunk;
    if (from >= strand.rows) return;
    RINGLET_ROWS_FIRST<float>(uniforms, strand, from, min(from + kRowChunk, strand.rows));
}
#endif

// Uniforms that tell kinds of substeps apart, of which each is compiled by itself.
template <class Uniforms>
concept HasKinds = requires {
    Uniforms::kKinds;
};
template <class Uniforms>
constexpr int kinds_of() {
    if constexpr (HasKinds<Uniforms>) return Uniforms::kKinds;
    return 1;
}
template <class Uniforms>
bool is_of_kind(const Uniforms& uniforms, int kind) {
    if constexpr (HasKinds<Uniforms>) return uniforms.kind == kind;
    return true;
}
template <class Uniforms>
__device__ void settle_kind(Uniforms& uniforms, int kind) {
    if constexpr (HasKinds<Uniforms>) uniforms.settle_kind(kind);
}

// Left to itself the compiler spills registers for the sake of more threads, of which none is
// needed to wait for memory.
template <int kKind>
__global__ void __launch_bounds__(kThreads, 1)
    run_blocks(const BlockLaunch launch, RINGLET_UNIFORMS uniforms, RINGLET_BLOCK first) {
    settle_kind(uniforms, kKind);
    const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / kWarp);
    const int lane = static_cast<int>(threadIdx.x % kWarp);
    if (warp >= launch.warp_count) return;
    const DeviceStrands& strands = launch.strands;
    set_row_range(first);
    set_scratch(first, launch.scratch + static_cast<std::size_t>(warp) * launch.warp_scratch);
    for (int g = warp; g < strands.group_count; g = launch.next_group(lane)) {
        RINGLET_BLOCK strand = strand_of(strands, first, g, lane);
        if (strand.rows > 0) {
            set_prefetch_buffer(strand);
            RINGLET_SUBSTEP<float>(uniforms, strand);
        }
    }
}

dim3 grid_of(int warps, int rows) {
    const int threads = warps * kWarp;
    return {static_cast<unsigned>((threads + kThreads - 1) / kThreads),
            static_cast<unsigned>(rows)};
}

template <int kKind>
void launch_kind(CudaDevice& cuda, const RINGLET_UNIFORMS& uniforms, const RINGLET_BLOCK& first) {
    if constexpr (kKind + 1 < kinds_of<RINGLET_UNIFORMS>())
        if (!is_of_kind(uniforms, kKind)) return launch_kind<kKind + 1>(cuda, uniforms, first);
    const BlockLaunch launch =
        HasIndependentRows<RINGLET_BLOCK>
            ? cuda.launch_of_all()
            : cuda.prepare(reinterpret_cast<const void*>(run_blocks<kKind>), kThreads,
                           shared_bytes<RINGLET_BLOCK>(), RINGLET_BLOCK::kScratch);
    run_blocks<kKind>
        <<<grid_of(launch.warp_count, launches_per_group<RINGLET_BLOCK>(launch.strands)), kThreads,
           shared_bytes<RINGLET_BLOCK>(), cuda.stream()>>>(launch, uniforms, first);
}

}  // namespace

void RINGLET_DEVICE_FUNCTION(Device& device, const RINGLET_UNIFORMS& uniforms,
                             const RINGLET_BLOCK& first) {
    auto& cuda = static_cast<CudaDevice&>(device);
    const BlockLaunch all = cuda.launch_of_all();
    if (all.warp_count == 0) return;
#ifdef RINGLET_ROWS_FIRST
    if (uniforms.rows_go_first())
        run_rows<<<grid_of(all.warp_count, row_chunks(all.strands)), kThreads, 0, cuda.stream()>>>(
            all, uniforms, first);
#endif
    launch_kind<0>(cuda, uniforms, first);
    check_cuda(cudaGetLastError());
}

}  // namespace ringlet
