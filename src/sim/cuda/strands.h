// A layout of strands as kernels over single vertices see it.
#pragma once

#include "strand/rows.h"

namespace ringlet {

// Pointers on the device.
struct DeviceStrands {
    const std::int32_t* first_rows;  // per block
    const std::int32_t* ends;        // per block and lane: vertices of the strand, 0 for padding
    int block_count;
    int most_rows;

    // Strands that the threads of a warp take together, and such groups.
    static constexpr int kGroup = 32, kGroupBlocks = kGroup / kLanes;
    __host__ __device__ int group_count() const {
        return (block_count + kGroupBlocks - 1) / kGroupBlocks;
    }
};

// One vertex of one strand.
struct DeviceVertex {
    bool exists;
    int vertex, end;  // number in its strand, and how many that has
    std::size_t row;
    int lane;

    template <class T>
    __device__ T* in(T* channel, int components) const {
        return channel + row * static_cast<std::size_t>(components * kLanes) + lane;
    }
    __device__ Vec3f vec3(const float* channel) const {
        return load_vec3<float>(in(channel, 3), kLanes);
    }
    __device__ void set_vec3(float* channel, Vec3f a) const {
        store_vec3(in(channel, 3), kLanes, a);
    }
};

// The thread's own: a warp has the same vertex of 32 neighbouring strands.
__device__ inline DeviceVertex vertex_of_thread(const DeviceStrands& strands) {
    const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
    const int in_group = static_cast<int>(threadIdx.x % 32);
    const int group = warp / strands.most_rows, vertex = warp % strands.most_rows;
    const int block = group * DeviceStrands::kGroupBlocks + in_group / kLanes;
    const int lane = in_group % kLanes;
    if (group >= strands.group_count() || block >= strands.block_count) return {};
    const int end = strands.ends[block * kLanes + lane];
    return {vertex < end, vertex, end, static_cast<std::size_t>(strands.first_rows[block] + vertex),
            lane};
}

inline constexpr int kVertexThreads = 256;
inline int vertex_grid(const DeviceStrands& strands) {
    const std::int64_t threads =
        std::int64_t{strands.group_count()} * strands.most_rows * DeviceStrands::kGroup;
    return static_cast<int>((threads + kVertexThreads - 1) / kVertexThreads);
}

}  // namespace ringlet
