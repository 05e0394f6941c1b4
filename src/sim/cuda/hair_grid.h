// The sparse hair grid (collide/hair_grid.h) on a GPU. It computes the same sums and solutions as
// the CPU, bit by bit.
//
// A hash table finds tiles, as on the CPU. Neighbouring strands share nodes: a thread block
// scatters its vertices to local tiles in shared memory and adds only their sums to the grid.
#pragma once

#include "collide/hair_grid.h"
#include "sim/cuda/memory.h"
#include "sim/cuda/strands.h"
#include "sim/device.h"

namespace ringlet {

class CudaHairGrid {
public:
    // Allocates `tile_limit` tiles, and a hash for all tiles that the vertices can be in.
    CudaHairGrid(int tile_limit, std::int64_t vertex_total);
    ~CudaHairGrid();
    CudaHairGrid(const CudaHairGrid&) = delete;
    CudaHairGrid& operator=(const CudaHairGrid&) = delete;

    // Returns false without effect if there are more tiles than the limit. Blocks until that is
    // known, not until the coupling has finished.
    // `channels` are the device copies of the channels of `coupling`.
    struct Channels {
        const float* x;
        float *v, *density;
        const float* volume;
    };
    bool couple(const DeviceStrands& strands, const DeviceCoupling& coupling,
                const Channels& channels, cudaStream_t stream);

    struct Counts {
        std::int32_t tiles_with_hair;  // they have the first indices
        std::int32_t other_tiles;      // upper neighbours of those
        std::int32_t fastest;          // bits of the largest velocity component

        int tile_count() const { return tiles_with_hair + other_tiles; }
    };
    struct Table;  // the kernels' view

private:
    Table table(float largest_volume) const;
    // The exchange with other ranks, through the host's memory.
    void share_fastest(const HairGrid& shared, cudaStream_t stream);
    bool exchange_tiles(const Table& table, HairGrid& shared, cudaStream_t stream);
    void load_tiles(const Table& table, cudaStream_t stream);
    void store_tiles(const Table& table, cudaStream_t stream);

    int tile_limit_;
    DeviceArray<unsigned long long> keys_;  // per slot of the hash
    DeviceArray<std::int32_t> tile_of_slot_;
    DeviceArray<std::int32_t> slots_;  // per tile
    // kTileNodes of each of the five quantities per tile; zero outside couple().
    DeviceArray<std::int64_t> sums_;
    // kLocalNodes per tile with hair.
    DeviceArray<float4> pushes_;  // with the share in w
    DeviceArray<float> densities_;
    DeviceArray<Counts> counts_;
    Counts* counts_on_host_ = nullptr;
    cudaEvent_t counted_ = nullptr;  // counts_on_host_ is valid
    // Memory of exchange_tiles().
    DeviceArray<unsigned long long> tile_keys_;  // per tile
    std::vector<std::int64_t> sums_on_host_;
    HairGrid::Tiles tiles_;
};

}  // namespace ringlet
