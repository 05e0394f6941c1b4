// The loops of the hair grid (hair_grid.h) over vertices and nodes: giving to nodes, answering, and
// taking from them. Compiled once per instruction set (grid_tiles.cpp); all give the same bits, for
// every vertex and node does the same arithmetic as hair_grid_kernel.h has it.
//
// Eight vertices of as many strands are gone through at a time, and then the like vertices of the
// strands that come next in memory. Neighbours share tiles, so what they give is summed up in a few
// patches that stay in the cache, and is added to the tiles of the grid once for many vertices.
#pragma once

#include "collide/hair_grid_kernel.h"
#include "strand/layout.h"

namespace ringlet {

// What vertices gave to the nodes of a tile, in units.
struct alignas(64) TileSums {
    std::int64_t momentum_mass[kTileNodes][4];
    std::int64_t volume[kTileNodes];
};

// What some vertices gave to the nodes of a patch, in units: momentum, mass, volume and nothing.
struct alignas(64) PatchSums {
    std::int32_t at[kPatchNodes][8];
};

// The patches that vertices near one another give to, found by the low bits of their tiles'
// coordinates.
struct PatchCache {
    static constexpr int kSideBits = 3, kSide = 1 << kSideBits, kCount = kSide * kSide * kSide;
    static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};
    // The tile is not on the grid; negative for all nodes of the patch.
    static constexpr std::int32_t kNoPatch = -kPatchNodes;

    // By entry:
    std::uint64_t keys[kCount];        // of the tiles
    std::int32_t first_nodes[kCount];  // of their patches among the nodes of all, or kNoPatch
    std::int32_t hash_slots[kCount];   // of the tiles in the grid
    std::int32_t gifts[kCount];        // vertices that gave something
    std::int32_t above[kCount][8];     // the tile and those up from it, bits as corners
    PatchSums* sums_of[kCount];
    // In the order of first use, so that few are used and stay in the processor's cache.
    PatchSums sums[kCount];
    int sums_count;

    void* grid;
    // Puts a tile in place of what is there.
    void (*fetch)(PatchCache& cache, int entry, std::uint64_t key);
    // Adds its sums to the grid and clears them.
    void (*begin_anew)(PatchCache& cache, int entry);
};

// Strands that are gone through together.
inline constexpr int kGridLanes = 8;
// ... and blocks of them, vertex by vertex.
inline constexpr int kMostTogether = 16;

// That many strands of a block, from the first vertex and lane on.
struct GridBlock {
    int rows;
    float ends[kGridLanes];  // vertices of each strand
    float cells_per_metre;
    const float *x, *v, *volume;
    float* v_after;  // where vertices take
    // The lowest corner of a vertex among the nodes of all patches, or negative: an integer's bits.
    // Where vertices take, each leaves the density around it instead.
    float* places;
};

// A tile among its neighbours, where they exist.
struct TileAround {
    const TileSums* sums;
    const float* density;
    const float* beside[3][2];  // density of the tiles down and up in x, y and z
    NodeAnswer* below[8];       // patches of the tiles whose vertices reach its nodes, bits down
};

struct GridLoops {
    // The largest part along an axis of the velocities that take part.
    float (*fastest)(const float* v, int rows);
    // Sums up what the vertices of up to kMostTogether blocks give, and notes their places.
    void (*give)(const GridBlock* blocks, int count, const GridUnits& units, PatchCache& cache);
    // Adds what a patch got to the tile at one of its corners.
    void (*add_patch)(const PatchSums& patch, int corner, TileSums& to);
    // Of the nodes of a tile: their densities.
    void (*measure)(const TileSums& sums, const GridUnits& units, float* density);
    // Lets the nodes of a tile answer and writes that into all patches that reach them.
    void (*answer)(const TileAround& tile, const CoupleUniforms& uniforms, const GridUnits& units);
    // Changes the velocities of free vertices and writes the density at all.
    void (*take)(const GridBlock* blocks, int count, const CoupleUniforms& uniforms,
                 const NodeAnswer* patches);
};
extern const GridLoops kGridLoopsPortable, kGridLoopsAvx2, kGridLoopsAvx512;

// The nodes of a tile, written into the patches that reach them.
RINGLET_KERNEL void publish(const NodeAnswer nodes[kTileNodes], NodeAnswer* const below[8]) {
    for (int c = 0; c < 8; ++c) {
        if (!below[c]) continue;
        // Of a patch from one tile down only the last layer is here.
        const int xs = c & 1 ? 1 : kTileSide, ys = c & 2 ? 1 : kTileSide,
                  zs = c & 4 ? 1 : kTileSide;
        NodeAnswer* const to = below[c] + patch_corner(c) * kTileSide;
        for (int z = 0; z < zs; ++z)
            for (int y = 0; y < ys; ++y)
                for (int x = 0; x < xs; ++x)
                    to[x + kPatchSide * (y + kPatchSide * z)] = nodes[node_in_tile(x, y, z)];
    }
}

}  // namespace ringlet
