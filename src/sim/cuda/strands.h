// How strands lie on the device. What the layout on the host (strand/layout.h) is to a vector unit
// this one is to a warp: rows are as wide as a warp, four blocks of the host side by side, so that
// the threads of a warp, a strand each, read whole cache lines.
#pragma once

#include "strand/rows.h"

namespace ringlet {

inline constexpr int kWarp = 32;
inline constexpr int kWarpBlocks = kWarp / kLanes;
#ifdef __CUDA_ARCH__
static_assert(kRowWidth == kWarp);
#endif

// Pointers on the device. A group is the strands of a warp.
struct DeviceStrands {
    const std::int32_t* first_rows;  // per group
    const std::int32_t* rows;        // per block of the host: vertices of its longest strand
    const std::int32_t* ends;        // per strand of a group: its vertices, 0 for padding
    int group_count;
    int max_rows;
};

// One vertex of one strand.
struct DeviceVertex {
    bool exists;
    int vertex, end;  // number in its strand, and how many that has
    std::size_t row;
    int lane;

    template <class T>
    __device__ T* in(T* channel, int components) const {
        return channel + row * static_cast<std::size_t>(components * kWarp) + lane;
    }
    __device__ Vec3f vec3(const float* channel) const {
        return load_vec3<float>(in(channel, 3), kWarp);
    }
    __device__ void set_vec3(float* channel, Vec3f a) const {
        store_vec3(in(channel, 3), kWarp, a);
    }
};

// A vertex of the strand that is the lane-th of a group.
__device__ inline DeviceVertex vertex_of(const DeviceStrands& strands, int group, int vertex,
                                         int lane) {
    if (group >= strands.group_count) return {};
    const int end = strands.ends[group * kWarp + lane];
    return {vertex < end, vertex, end, static_cast<std::size_t>(strands.first_rows[group] + vertex),
            lane};
}

__device__ inline int thread_number() {
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

// The thread's own: a warp has the same vertex of neighbouring strands.
__device__ inline DeviceVertex vertex_of_thread(const DeviceStrands& strands) {
    const int warp = thread_number() / kWarp;
    return vertex_of(strands, warp / strands.max_rows, warp % strands.max_rows,
                     static_cast<int>(threadIdx.x % kWarp));
}

inline constexpr int kVertexThreads = 256;
inline int blocks_for(std::int64_t threads) {
    return static_cast<int>((threads + kVertexThreads - 1) / kVertexThreads);
}
inline int vertex_grid(const DeviceStrands& strands) {
    return blocks_for(std::int64_t{strands.group_count} * strands.max_rows * kWarp);
}

}  // namespace ringlet
