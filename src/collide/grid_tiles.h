// The loops of the hair grid (hair_grid.h) over vertices: finding their tiles, giving to nodes and
// taking from them. Compiled once per instruction set (grid_tiles.cpp); all give the same bits, for
// every vertex does the same arithmetic as hair_grid_kernel.h has it.
#pragma once

#include "collide/hair_grid_kernel.h"

namespace ringlet {

// A vertex as the tiles see it. Those of a tile follow one another in memory: strands lie in other
// orders, and fetching each vertex from there would cost more than all arithmetic.
struct alignas(32) GridVertex {
    float x[3];  // m
    float density;
    float v[3];    // m/s
    float volume;  // cells
};

struct GridTile {
    std::uint64_t key;
    std::int32_t first_vertex, vertex_count;
    std::int32_t above[8];  // itself and the tiles up from it, bits as corners; where it has any
};

// The nodes of tile t are those from t * kTileNodes on.
RINGLET_KERNEL std::size_t node_index(std::int32_t tile, int node) {
    return static_cast<std::size_t>(tile) * kTileNodes + static_cast<std::size_t>(node);
}

// Calls visit(node in the patch of the tile, node of the grid).
template <class Visit>
RINGLET_KERNEL void visit_patch(const GridTile& tile, const Visit& visit) {
    int n = 0;
    for (int z = 0; z < kPatchSide; ++z)
        for (int y = 0; y < kPatchSide; ++y)
            for (int x = 0; x < kPatchSide; ++x, ++n) {
                const int above = x >> kTileBits | (y >> kTileBits) << 1 | (z >> kTileBits) << 2;
                visit(n, node_index(tile.above[above], node_in_tile(x, y, z)));
            }
}

// In which tile the vertices of a block are, row by row, eight strands side by side.
struct BlockTiles {
    static constexpr int kMostRows = 32;
    alignas(32) std::int32_t tile[kMostRows][3][8];  // where something moved
    std::uint8_t moved[kMostRows];  // strands whose vertex is in another tile than the one before
    std::uint8_t gone[kMostRows];   // ... or too far away
    alignas(32) std::int32_t last[3][8] = {};  // of the row before the next call's first
};

// Fills in the next `rows` of the block at `x`, from the row `first` on.
using FindTiles = void (*)(BlockTiles& out, const float* x, int first, int rows,
                           float cells_per_metre);
void find_tiles_portable(BlockTiles& out, const float* x, int first, int rows,
                         float cells_per_metre);
void find_tiles_avx2(BlockTiles& out, const float* x, int first, int rows, float cells_per_metre);

// Adds what the vertices of the tile give to the sums of the nodes they reach.
using SplatTile = void (*)(const GridTile& tile, const GridVertex* vertices, float cells_per_metre,
                           NodeSum* sums);
void splat_tile_portable(const GridTile& tile, const GridVertex* vertices, float cells_per_metre,
                         NodeSum* sums);
void splat_tile_avx2(const GridTile& tile, const GridVertex* vertices, float cells_per_metre,
                     NodeSum* sums);

// Changes their velocities as if all were free, and writes the density at them.
using MixTile = void (*)(const GridTile& tile, GridVertex* vertices, float cells_per_metre,
                         const MixUniforms& uniforms, const NodeAnswer* answers);
void mix_tile_portable(const GridTile& tile, GridVertex* vertices, float cells_per_metre,
                       const MixUniforms& uniforms, const NodeAnswer* answers);
void mix_tile_avx2(const GridTile& tile, GridVertex* vertices, float cells_per_metre,
                   const MixUniforms& uniforms, const NodeAnswer* answers);

}  // namespace ringlet
