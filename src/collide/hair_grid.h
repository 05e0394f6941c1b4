// A sparse grid that follows the hair: tiles of nodes (hair_grid_kernel.h) where there are
// vertices, found through a hash of their coordinates. All memory is taken at the start and bounded
// by the number of vertices, however far hair flies; only tiles in use are cleared.
//
// Where hair is scattered over more tiles than there is room for, the tiles with the fewest strands
// are left out: hair that is alone has nothing to exchange.
#pragma once

#include <array>

#include "base/parallel.h"
#include "collide/grid_tiles.h"
#include "strand/channel.h"

namespace ringlet {

class HairGrid {
public:
    // Makes room for hair like that at `x`. `cell` in m.
    HairGrid(const Channel<3>& x, float cell, const TaskPool& pool);

    // Finds the tiles of all vertices. What follows is about hair at these places.
    void place(const Channel<3>& x, const TaskPool& pool);
    // Sums up mass, momentum and `volume`, the cells a vertex fills when as dense as groomed.
    void splat(const Channel<3>& x, const Channel<3>& v, const Channel<1>& volume,
               const TaskPool& pool);
    // Lets nodes answer, changes v, as it was summed up, of free vertices, and writes the density
    // at every vertex (0 for those not on the grid).
    void mix(const MixUniforms& uniforms, Channel<3>& v, Channel<1>& density, const TaskPool& pool);

    // After splat: the largest volume in a cell among the nodes around each vertex.
    void fullest(Channel<1>& out, const TaskPool& pool);

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
    int tile_limit() const { return static_cast<int>(tiles_.size()); }
    std::size_t byte_count() const;

private:
    struct HashEntry {
        std::uint64_t key;
        std::int32_t run_count;  // of vertices in the tile itself
        std::int32_t tile;       // -1: none
    };
    // Vertices of one strand that follow one another in the same tile.
    struct Run {
        std::int32_t at;  // slot of the tile's key in the hash; then the first of its GridVertex
        std::uint16_t lane, first, count;
    };

    int find(std::uint64_t key) const;
    int insert(std::uint64_t key);
    void find_runs(const Channel<3>& x, int block);
    void clear();
    void order_touched();
    int tile_of(int slot);
    void choose_tiles();
    void give_places(const StrandLayout& layout, const TaskPool& pool);
    void sort_by_colour();
    // Calls visit(run) for the runs of a block, or those of them that are on the grid.
    template <class Visit>
    void visit_runs(const StrandLayout& layout, int block, const Visit& visit) const;
    void set_tile_limit(std::size_t limit);
    void answer_tile(int tile, const MixUniforms& uniforms);

    float cells_per_metre_;

    std::vector<HashEntry> hash_;
    std::vector<std::int32_t> touched_;  // slots in use: those with runs, then others
    std::int32_t touched_count_ = 0;

    std::vector<Run> runs_;                 // by block
    std::vector<std::int32_t> block_runs_;  // how many of each block
    std::vector<GridTile> tiles_;
    std::vector<GridVertex> vertices_;       // by tile
    std::vector<std::int32_t> next_vertex_;  // per tile, while sorting
    std::vector<std::int32_t> by_colour_;    // tiles with vertices
    std::array<std::int32_t, 9> colour_first_{};
    int tile_count_ = 0;

    std::vector<NodeSum> sums_;  // per tile, kTileNodes each
    std::vector<NodeAnswer> answers_;
    FindTiles find_tiles_;  // as this machine runs them best
    SplatTile splat_tile_;
    MixTile mix_tile_;
};

}  // namespace ringlet
