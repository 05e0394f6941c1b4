// The strand layout on the device. Like the host's layout (strand/layout.h), but rows are as wide
// as a warp: they interleave four blocks of the host. The threads of a warp process one strand each
// and read whole cache lines.
#pragma once

#include "strand/rows.h"

namespace ringlet {

inline constexpr int kWarp = 32;
inline constexpr int kWarpBlocks = kWarp / kLanes;
static_assert(kDeviceBlocks == kWarpBlocks);
#ifdef __CUDA_ARCH__
static_assert(kRowWidth == kWarp);
#endif

// Device pointers. A group is the strands of one warp. Consecutive groups of a layout, or all:
// lists begin with the first of them.
struct DeviceStrands {
    int first_group;                 // in the layout
    const std::int32_t* first_rows;  // per group
    const std::int32_t* rows;        // per host block: vertex count of its longest strand
    const std::int32_t* ends;  // per lane of a group: vertex count of its strand, 0 for padding
    int group_count;
    int max_rows;
};

// One vertex of one strand.
struct DeviceVertex {
    bool exists;
    int vertex, end;  // index in its strand, and the strand's vertex count
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

// A vertex of the strand in the given lane of a group.
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

// The vertex of this thread: a warp processes the same vertex of neighbouring strands.
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
