// The loops of the hair grid (hair_grid.h): scatter to nodes, solve, gather from nodes. Compiled
// once per instruction set. All copies compute the same bits, because each vertex
// and node follows the arithmetic of hair_grid_kernel.h.
//
// The loops process the same vertex of eight strands at a time, then the same vertices of the next
// strands in memory. Neighbouring strands share tiles, so their sums collect in a few local tiles
// that stay in the cache; each local tile is added to the grid once for many vertices.
#pragma once

#include "collide/hair_grid_kernel.h"
#include "strand/layout.h"

namespace ringlet {

// The sums of the nodes of a tile, in units.
struct alignas(64) TileSums {
    std::int64_t momentum_mass[kTileNodes][4];
    std::int64_t volume[kTileNodes];
};

// The sums of the nodes of a local tile, in units: momentum, mass, volume, padding.
struct alignas(64) LocalTileSums {
    std::int32_t at[kLocalNodes][8];
};

// The local tiles of one thread, indexed by the low bits of the tile coordinates.
struct LocalTileCache {
    static constexpr int kSideBits = 3, kSide = 1 << kSideBits, kCount = kSide * kSide * kSide;
    static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};
    // Node index of a tile that is not on the grid; stays negative for all nodes of a local tile.
    static constexpr std::int32_t kNoTile = -kLocalNodes;

    // Per entry:
    std::uint64_t keys[kCount];          // keys of the tiles
    std::int32_t first_nodes[kCount];    // first node in the array of all local tiles, or kNoTile
    std::int32_t hash_slots[kCount];     // slots of the tiles in the hash table
    std::int32_t vertex_counts[kCount];  // vertices added since the last flush
    std::int32_t above[kCount][8];       // the tile and its upper neighbours, bits as for corners
    LocalTileSums* local_sums[kCount];
    // Assigned in the order of first use, so that few are used and stay in the cache.
    LocalTileSums sums[kCount];
    int sums_count;

    void* grid;
    // Replaces the tile of an entry.
    void (*fetch)(LocalTileCache& cache, int entry, std::uint64_t key);
    // Adds the sums of an entry to the grid and clears them.
    void (*flush)(LocalTileCache& cache, int entry);
};

// Strands processed together.
inline constexpr int kGridLanes = 8;
// The most blocks of such strands processed together, vertex by vertex.
inline constexpr int kMaxBlocks = 16;

// kGridLanes strands of a block; pointers are at the first vertex and lane.
struct GridBlock {
    int rows;
    float ends[kGridLanes];  // vertex count of each strand
    float cells_per_metre;
    const float *x, *v, *volume;
    float* v_after;  // written by gather_vertices
    // scatter_vertices writes the index of the lowest corner of each vertex among the nodes of all
    // local tiles (the bits of an integer; negative: not on the grid). gather_vertices replaces it
    // by the density at the vertex.
    float* places;
};

// A tile and its neighbours; null where a neighbour does not exist.
struct TileNeighbours {
    const TileSums* sums;
    const float* density;
    const float* neighbours[3][2];  // densities of the tiles below and above in x, y and z
    NodeUpdate* local_tiles[8];     // local tiles that contain its nodes; a set bit is a step down
};

struct GridLoops {
    // The largest component of all velocities below kGridMaxSpeed. `ends` are the vertex counts of
    // the strands; lanes without a strand may contain anything.
    float (*fastest)(const float* v, const float* ends, int rows);
    // Scatters the vertices of up to kMaxBlocks blocks and stores their node indices.
    void (*scatter_vertices)(const GridBlock* blocks, int count, const GridUnits& units,
                             LocalTileCache& cache);
    // Adds the part of a local tile that overlaps the tile at one of its corners.
    void (*add_local_tile)(const LocalTileSums& from, int corner, TileSums& to);
    // Computes the densities of the nodes of a tile.
    void (*measure_density)(const TileSums& sums, const GridUnits& units, float* density);
    // Solves the nodes of a tile and copies the updates to all local tiles that contain them.
    void (*solve_tile)(const TileNeighbours& tile, const CoupleUniforms& uniforms,
                       const GridUnits& units);
    // Updates the velocities of free vertices and stores the density at every vertex.
    void (*gather_vertices)(const GridBlock* blocks, int count, const CoupleUniforms& uniforms,
                            const NodeUpdate* local_tiles);
};

// The loops over a lane type of eight lanes. Instantiated for Wide8 of each instruction set, in
// files that CMake writes from collide/cpu/grid_loops.cpp.in.
template <class F>
GridLoops grid_loops();

// Copies the nodes of a tile to the local tiles that contain them.
RINGLET_KERNEL void copy_to_local_tiles(const NodeUpdate nodes[kTileNodes],
                                        NodeUpdate* const local_tiles[8]) {
    for (int c = 0; c < 8; ++c) {
        if (!local_tiles[c]) continue;
        // A local tile one step down contains only the first layer of this tile.
        const int xs = c & 1 ? 1 : kTileSide, ys = c & 2 ? 1 : kTileSide,
                  zs = c & 4 ? 1 : kTileSide;
        NodeUpdate* const to = local_tiles[c] + local_corner(c) * kTileSide;
        for (int z = 0; z < zs; ++z)
            for (int y = 0; y < ys; ++y)
                for (int x = 0; x < xs; ++x)
                    to[x + kLocalSide * (y + kLocalSide * z)] = nodes[node_in_tile(x, y, z)];
    }
}

}  // namespace ringlet
