// The sparse hair grid (collide/hair_grid.h) on a GPU: the same sums and answers, so the same bits.
//
// Tiles are found through a hash as on the CPU. Neighbouring strands share cells, so the threads of
// a warp, which hold the same vertex of 32 neighbours, add up what they give to a cell before one
// of them adds it to the node.
#pragma once

#include "sim/cuda/memory.h"
#include "sim/cuda/strands.h"
#include "sim/device.h"

namespace ringlet {

class CudaHairGrid {
public:
    // Room for `tile_limit` tiles; the hash for all tiles that many vertices could be in.
    CudaHairGrid(int tile_limit, std::int64_t vertex_total);

    // False, with nothing changed, where there are more tiles than room.
    bool mix(const DeviceStrands& strands, const DeviceMixing& mixing, cudaStream_t stream);

    struct Counts {
        std::int32_t tiles, tiles_with_hair;
        std::int32_t fastest;  // the bits of the largest part of a velocity that takes part
    };
    struct Table;  // what its kernels see of it

private:
    Table table(float largest_volume) const;

    int tile_limit_;
    DeviceArray<unsigned long long> keys_;  // per slot of the hash
    DeviceArray<std::int32_t> tile_of_slot_;
    DeviceArray<std::int32_t> slots_;  // per tile
    DeviceArray<std::int32_t> above_;  // eight per tile that has hair, bits as corners
    DeviceArray<NodeSum> sums_;
    DeviceArray<NodeAnswer> answers_;
    DeviceArray<Counts> counts_;
};

}  // namespace ringlet
