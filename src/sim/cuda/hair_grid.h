// The sparse hair grid (collide/hair_grid.h) on a GPU: the same sums and answers, so the same bits.
//
// Tiles are found through a hash as on the CPU. Neighbouring strands share nodes: a block of
// threads adds up what its vertices give in patches of nodes of its own, in shared memory, and only
// their sums are added to the grid.
#pragma once

#include "sim/cuda/memory.h"
#include "sim/cuda/strands.h"
#include "sim/device.h"

namespace ringlet {

class CudaHairGrid {
public:
    // Room for `tile_limit` tiles; the hash for all tiles that many vertices could be in.
    CudaHairGrid(int tile_limit, std::int64_t vertex_total);
    ~CudaHairGrid();
    CudaHairGrid(const CudaHairGrid&) = delete;
    CudaHairGrid& operator=(const CudaHairGrid&) = delete;

    // False, with nothing changed, where there are more tiles than room. Waits until that is known,
    // not for the coupling.
    bool couple(const DeviceStrands& strands, const DeviceCoupling& coupling, cudaStream_t stream);

    struct Counts {
        std::int32_t tiles_with_hair;  // they have the first numbers
        std::int32_t other_tiles;      // that hair in those reaches
        std::int32_t fastest;          // the bits of the largest part of a velocity that takes part
    };
    struct Table;  // what its kernels see of it

private:
    Table table(float largest_volume) const;

    int tile_limit_;
    DeviceArray<unsigned long long> keys_;  // per slot of the hash
    DeviceArray<std::int32_t> tile_of_slot_;
    DeviceArray<std::int32_t> slots_;  // per tile
    // kTileNodes of each of the five amounts per tile; zeros but during a coupling.
    DeviceArray<std::int64_t> sums_;
    // kPatchNodes per tile with hair.
    DeviceArray<float4> pushes_;  // and share in w
    DeviceArray<float> densities_;
    DeviceArray<Counts> counts_;
    Counts* counts_on_host_ = nullptr;
    cudaEvent_t counted_ = nullptr;  // they are there
};

}  // namespace ringlet
