// A sparse grid that follows the hair: tiles of nodes (hair_grid_kernel.h) where there are
// vertices, found through a hash of their coordinates. Room for tiles is set aside at the start,
// though nothing is held for a tile before it is used; the hash grows where hair is scattered wider
// than ever. Both are bounded by the number of vertices, however far hair flies; only tiles in use
// are cleared.
//
// Where hair is scattered over more tiles than there is room for, the tiles with the fewest
// vertices are left out: hair that is alone has nothing to exchange.
#pragma once

#include "base/parallel.h"
#include "collide/grid_tiles.h"
#include "strand/channel.h"

namespace ringlet {

class HairGrid {
public:
    // Makes room for hair like that at `x`. `cell` in m.
    HairGrid(const Channel<3>& x, float cell, const TaskPool& pool);

    // Finds the tiles of all vertices and sums up mass, momentum and `volume`, the cells a vertex
    // fills when as dense as groomed. What follows is about hair at these places, and finds in
    // `per_vertex` which nodes each vertex reaches (GridBlock::places).
    void splat(const Channel<3>& x, const Channel<3>& v, const Channel<1>& volume,
               float largest_volume, Channel<1>& per_vertex, const TaskPool& pool);
    // Lets nodes answer, changes v, as it was summed up, of free vertices, and makes `per_vertex`
    // the density at every vertex (0 for those not on the grid).
    void mix(const CoupleUniforms& uniforms, const Channel<3>& x, Channel<3>& v,
             Channel<1>& per_vertex, const TaskPool& pool);

    // Instead of mix: makes `per_vertex` the largest volume in a cell among the nodes around each
    // vertex (0 likewise).
    void fullest(Channel<1>& per_vertex, const TaskPool& pool);

    struct Node {
        float mass;      // vertices per cell
        Vec3f momentum;  // vertices m/s
        float density;
    };
    // After splat: zeros where there is no hair.
    Node node_at(int x, int y, int z) const;

    float cell() const { return 1 / cells_per_metre_; }
    float cells_per_metre() const { return cells_per_metre_; }
    int tile_count() const { return tile_count_; }
    int tile_limit() const { return static_cast<int>(tile_keys_.size()); }
    // Of the hash and of as many tiles as there ever were.
    std::size_t byte_count() const;

private:
    struct HashEntry {
        std::uint64_t key;
        std::int32_t vertex_count;  // in the tile itself; 0: it has no patch
        std::int32_t tile;          // its number, and that of its patch; negative: none
    };

    struct Inserted {
        std::int32_t slot;  // -1: the hash is crowded
        bool is_new;
    };

    int find(std::uint64_t key) const;
    Inserted insert(std::uint64_t key);
    std::int32_t made_tile(Inserted entry);
    void clear();
    void make_room(std::size_t keys);
    template <class Pass>
    void repeat_until_roomy(const Pass& pass);
    class Together;
    float fastest(const Channel<3>& v, const TaskPool& pool) const;
    void give_all(const Channel<3>& x, const Channel<3>& v, const Channel<1>& volume,
                  Channel<1>& per_vertex, const TaskPool& pool);
    void fetch(PatchCache& cache, int entry, std::uint64_t key);
    void write_back(const PatchCache& cache, int entry);
    void choose_tiles();
    TileAround around(int tile);

    float cells_per_metre_;
    GridUnits units_{0, 0};

    std::vector<HashEntry> hash_;
    std::vector<std::int32_t> touched_;  // slots in use, and room for more of them
    std::int32_t touched_count_ = 0;
    std::int32_t is_crowded_ = 0;  // there are more keys than room for them
    std::int32_t is_full_ = 0;     // there are more tiles than room for them
    bool are_chosen_ = false;      // so tiles were chosen, and no others are made

    template <class T>
    using PerTile = std::vector<T, ZeroedCacheLines<T>>;
    PerTile<std::uint64_t> tile_keys_;
    PerTile<std::int32_t> locks_;
    PerTile<TileSums> sums_;
    PerTile<float> densities_;     // kTileNodes each
    PerTile<NodeAnswer> patches_;  // kPatchNodes each
    std::int32_t tile_count_ = 0;
    std::int32_t most_tiles_ = 0;  // that there ever were

    const GridLoops* loops_;  // as this machine runs them best
};

}  // namespace ringlet
