// A sparse grid that follows the hair: tiles of nodes (hair_grid_kernel.h) where there are
// vertices, found through a hash table of their coordinates. Address space for tiles is reserved at
// the start, but memory is used only by tiles that were in use; the hash table grows if the hair
// spreads. Both are bounded by the number of vertices, however far the hair flies. Only tiles in
// use are cleared.
//
// If the hair spreads over more tiles than there is room for, the tiles with the fewest vertices
// are left out: isolated hair has little to couple with.
#pragma once

#include "base/parallel.h"
#include "collide/grid_tiles.h"
#include "strand/channel.h"
#include "strand/strand_division.h"

namespace ringlet {

class HairGrid {
public:
    // Reserves memory for hair distributed like `x`. `cell` in m.
    HairGrid(const Channel<3>& x, float cell, const TaskPool& pool);

    // Restricts the following calls to this rank's blocks. The ranks that share the strands
    // exchange their tiles, and each vertex gets the same bits as if one process had all strands.
    // scatter() is then collective over the ranks that share the strands; a rank without blocks
    // calls nothing.
    void divide(const StrandDivision& division) { division_ = division; }

    // For a grid on a device, which has scattered this rank's vertices itself. Collective over the
    // ranks that share the strands, in this order.
    bool is_shared() const { return division_.sharers() != nullptr; }
    // Returns the largest of the numbers that the ranks give: the bits of their highest speeds.
    std::int32_t maximum_over_ranks(std::int32_t own) const;
    struct Tiles {
        bool fit = true;  // false: the device has more tiles than tile_limit()
        std::vector<std::uint64_t> keys;
        std::vector<TileSums> sums;
    };
    // Completes the sums of this rank's tiles, and appends tiles of other ranks next to them, with
    // their volumes only. Returns false, on all ranks, if all of them together have more tiles than
    // tile_limit().
    bool exchange(Tiles& tiles);

    // Finds the tiles of all vertices and scatters mass, momentum and `volume`, the number of cells
    // a vertex fills at the groomed density. Stores in `per_vertex` the nodes that each vertex
    // reaches (GridBlock::places); couple() and max_density_around() need it and the same `x`.
    void scatter(const Channel<3>& x, const Channel<3>& v, const Channel<1>& volume,
                 float largest_volume, Channel<1>& per_vertex, const TaskPool& pool);
    // Solves the nodes and updates the velocities of free vertices; `v` must be as scattered. Sets
    // `per_vertex` to the density at every vertex (0 outside the grid).
    void couple(const CoupleUniforms& uniforms, const Channel<3>& x, Channel<3>& v,
                Channel<1>& per_vertex, const TaskPool& pool);

    // Instead of couple(): sets `per_vertex` to the largest density among the nodes around each
    // vertex (0 outside the grid).
    void max_density_around(Channel<1>& per_vertex, const TaskPool& pool);

    struct Node {
        float mass;      // vertices per cell
        Vec3f momentum;  // vertices m/s
        float density;
    };
    // Call after scatter(). Zeros where there is no hair.
    Node node_at(int x, int y, int z) const;

    float cell() const { return 1 / cells_per_metre_; }
    float cells_per_metre() const { return cells_per_metre_; }
    int tile_count() const { return tile_count_; }
    // Memory for tiles; those of all ranks together are no more.
    int tile_limit() const { return static_cast<int>(tile_keys_.size()); }
    // Memory in bytes of the hash table and of the most tiles that were ever in use.
    std::size_t byte_count() const;

private:
    struct HashEntry {
        std::uint64_t key;
        std::int32_t vertex_count;  // in the tile itself; 0: it has no local tile
        std::int32_t tile;          // index of the tile and of its local tile; negative: none
    };

    struct Inserted {
        std::int32_t slot;  // -1: the hash table is full
        bool is_new;
    };

    int find(std::uint64_t key) const;
    Inserted insert(std::uint64_t key);
    std::int32_t find_or_create_tile(Inserted entry);
    void clear();
    void reserve_keys(std::size_t keys);
    template <class Pass>
    void repeat_until_hash_fits(const Pass& pass);
    class BlockGroups;
    float fastest(const Channel<3>& v, const TaskPool& pool) const;
    void scatter_all(const Channel<3>& x, const Channel<3>& v, const Channel<1>& volume,
                     Channel<1>& per_vertex, const TaskPool& pool);
    void fetch(LocalTileCache& cache, int entry, std::uint64_t key);
    void write_back(const LocalTileCache& cache, int entry);
    void choose_tiles();
    // hair_grid_exchange.cpp
    void exchange_tiles();
    std::vector<int> homes_of_tiles(std::span<const Parcel> keys_of_others) const;
    Parcel sums_for_home(int rank, std::span<const int> homes) const;
    void add_sums(const Parcel& parcel);
    Parcel totals_for(const Parcel& keys, std::span<const int> homes) const;
    void store_totals(const Parcel& parcel);
    void add_vertex_counts_of_others();
    void add_all_sums_of_others();
    TileNeighbours neighbours_of(int tile);

    float cells_per_metre_;
    GridUnits units_{0, 0};

    std::vector<HashEntry> hash_;
    std::vector<std::int32_t> used_slots_;  // the first used_count_ are slots in use
    std::int32_t used_count_ = 0;
    std::int32_t hash_is_full_ = 0;    // more keys than used_slots_ holds
    std::int32_t tiles_are_full_ = 0;  // more tiles than tile_keys_ holds
    bool tiles_are_chosen_ = false;    // choose_tiles() has run; no tiles are added

    template <class T>
    using PerTile = std::vector<T, ZeroedCacheLines<T>>;
    PerTile<std::uint64_t> tile_keys_;
    PerTile<std::int32_t> locks_;
    PerTile<TileSums> sums_;
    PerTile<float> densities_;         // kTileNodes each
    PerTile<NodeUpdate> local_tiles_;  // kLocalNodes each
    std::int32_t tile_count_ = 0;
    // The first tiles, which this process solves. Of the others it knows only the volumes, which
    // another rank sent because they are next to one of these.
    std::int32_t solved_count_ = 0;
    std::int32_t max_tiles_ = 0;  // the most that were ever in use

    StrandDivision division_;
    GridLoops loops_;  // the best copy for this machine
};

}  // namespace ringlet
