// Launches kernels (sim/kernel_protocol.h) on a GPU, one thread per strand. Only the files that
// CMake writes from run_on_device.cu.in include this.
#pragma once

#include "sim/block_kernel.h"
#include "sim/cuda/cuda_device.h"
#include "strand/row_stream.h"

namespace ringlet {

inline constexpr int kBlockThreads = kStreamThreads;

// Rows that a thread processes of a kernel with independent rows or of a row pass, and the number
// of groups of strands below which threads share strands.
inline constexpr int kRowChunk = 8, kFewGroups = 8192;

inline int row_chunks(const DeviceStrands& strands) {
    return (strands.max_rows + kRowChunk - 1) / kRowChunk;
}

template <class Kernel>
constexpr int shared_bytes() {
    return Kernel::kPrefetchFloats * kBlockThreads * static_cast<int>(sizeof(float));
}

// Thread blocks for that many warps, and for each of them `chunks` chunks of rows.
inline dim3 launch_grid(int warps, int chunks) {
    const int threads = warps * kWarp;
    return {static_cast<unsigned>((threads + kBlockThreads - 1) / kBlockThreads),
            static_cast<unsigned>(chunks)};
}

// The strand in the given lane of a group of 32; it has no rows if it is padding.
template <class Block>
__device__ Block strand_of(const DeviceStrands& strands, const Block& first, int group, int lane) {
    const int rows = strands.rows[group * kWarpBlocks + lane / kLanes];
    return from_lane(at_block(first, strands.first_group + group, strands.first_rows[group], rows),
                     lane);
}

// Needs few registers, so that many threads can wait for memory at a time.
template <class Kernel>
__global__ void __launch_bounds__(kBlockThreads)
    run_row_pass(const BlockLaunch launch, const typename Kernel::Uniforms uniforms,
                 const typename Kernel::Block first) {
    const int group = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / kWarp);
    if (group >= launch.strands.group_count) return;
    const typename Kernel::Block strand =
        strand_of(launch.strands, first, group, static_cast<int>(threadIdx.x % kWarp));
    const int from = static_cast<int>(blockIdx.y) * kRowChunk;
    if (from >= strand.rows) return;
    Kernel::template row_pass<float>(uniforms, strand, from, min(from + kRowChunk, strand.rows));
}

// Processes groups of strands until none is left and, with a queue, the strands that were given up.
template <class Kernel>
__device__ __forceinline__ void run_tasks(const BlockLaunch& launch,
                                          const typename Kernel::Uniforms& uniforms,
                                          const typename Kernel::Block& first, int warp, int lane) {
    const bool has_queue = launch.queue.is_used();
    WorkQueue::Task task{warp * kWarp + lane, Attempt::only};
    if (has_queue) task = launch.queue.next(lane);
    while (!WorkQueue::is_end(task)) {
        bool is_complete = true;
        if (task.slot >= 0) {
            const int own = task.slot % kWarp;
            typename Kernel::Block strand =
                strand_of(launch.strands, first, task.slot / kWarp, own);
            strand.attempt = task.attempt;
            strand.scratch += lane - own;  // a column of the warp's scratch memory per thread
            if (strand.rows > 0) is_complete = Kernel::template substep<float>(uniforms, strand);
        }
        if (has_queue) {
            launch.queue.finish(task, is_complete, lane);
            task = launch.queue.next(lane);
        } else {
            const int group = launch.next_group(lane);
            if (group >= launch.strands.group_count) return;
            task.slot = group * kWarp + lane;
        }
    }
}

// The launch bounds keep the compiler from spilling registers in order to run more threads at a
// time.
template <class Kernel, int kVariant>
__global__ void __launch_bounds__(kBlockThreads, 1)
    run_strands(const BlockLaunch launch, typename Kernel::Uniforms uniforms,
                typename Kernel::Block first) {
    if constexpr (Kernel::kVariants > 1) Kernel::fix_variant(uniforms, kVariant);
    const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / kWarp);
    const int lane = static_cast<int>(threadIdx.x % kWarp);
    if (warp >= launch.warp_count) return;
    const DeviceStrands& strands = launch.strands;
    if constexpr (Kernel::kHasIndependentRows)
        if (gridDim.y > 1) {
            first.from = static_cast<int>(blockIdx.y) * kRowChunk;
            first.to = first.from + kRowChunk;
        }
    if constexpr (Kernel::kScratch > 0)
        first.scratch = launch.scratch + static_cast<std::size_t>(warp) * launch.warp_scratch;
    if constexpr (Kernel::kPrefetchFloats > 0) {
        extern __shared__ float buffer[];
        first.prefetch_buffer = buffer + threadIdx.x;
    }
    if constexpr (Kernel::kCanGiveUp) {
        run_tasks<Kernel>(launch, uniforms, first, warp, lane);
    } else {
        for (int g = warp; g < strands.group_count; g = launch.next_group(lane)) {
            const typename Kernel::Block strand = strand_of(strands, first, g, lane);
            if (strand.rows > 0) Kernel::template substep<float>(uniforms, strand);
        }
    }
}

// Launches the variant that the uniforms select, searching from kVariant on.
template <class Kernel, int kVariant>
void launch_variant(CudaDevice& cuda, const typename Kernel::Uniforms& uniforms,
                    const typename Kernel::Block& first) {
    if constexpr (kVariant + 1 < Kernel::kVariants)
        if (Kernel::variant_of(uniforms) != kVariant)
            return launch_variant<Kernel, kVariant + 1>(cuda, uniforms, first);
    constexpr auto kernel = run_strands<Kernel, kVariant>;
    BlockLaunch launch;
    int chunks = 1;
    if constexpr (Kernel::kHasIndependentRows) {
        launch = cuda.launch_of_all();
        if (launch.strands.group_count < kFewGroups) chunks = row_chunks(launch.strands);
    } else {
        launch = cuda.prepare(reinterpret_cast<const void*>(kernel), kBlockThreads,
                              shared_bytes<Kernel>(), Kernel::kScratch, Kernel::kCanGiveUp);
    }
    kernel<<<launch_grid(launch.warp_count, chunks), kBlockThreads, shared_bytes<Kernel>(),
             cuda.stream()>>>(launch, uniforms, first);
}

template <class Kernel>
void run_on_device(Device& device, const typename Kernel::Uniforms& uniforms,
                   const typename Kernel::Block& first) {
    auto& cuda = static_cast<CudaDevice&>(device);
    const BlockLaunch all = cuda.launch_of_all();
    if (all.warp_count == 0) return;
    if constexpr (Kernel::kHasRowPass)
        if (Kernel::needs_row_pass(uniforms))
            run_row_pass<Kernel><<<launch_grid(all.warp_count, row_chunks(all.strands)),
                                   kBlockThreads, 0, cuda.stream()>>>(all, uniforms, first);
    launch_variant<Kernel, 0>(cuda, uniforms, first);
    check_cuda(cudaGetLastError());
}

}  // namespace ringlet
