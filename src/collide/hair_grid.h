// A sparse grid that follows the hair: tiles of nodes (hair_grid_kernel.h) where there are
// vertices, found through a hash of their coordinates. All memory is taken at the start and bounded
// by the number of vertices, however far hair flies; only tiles in use are cleared.
//
// Where hair is scattered over more tiles than there is room for, the tiles with the fewest strands
// are left out: hair that is alone has nothing to exchange.
#pragma once

#include <array>

#include "base/parallel.h"
#include "collide/hair_grid_kernel.h"
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
    // Lets nodes answer, changes v of free vertices, and writes the density at every vertex (0 for
    // those not on the grid).
    void mix(const MixUniforms& uniforms, const Channel<3>& x, Channel<3>& v, Channel<1>& density,
             const TaskPool& pool);

    // After splat: the largest volume in a cell among the nodes around each vertex.
    void fullest(const Channel<3>& x, Channel<1>& out, const TaskPool& pool) const;

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
    // Vertices of one strand that follow one another in the same tile.
    struct Run {
        std::int32_t slot;    // of the tile's key in the hash
        std::int32_t strand;  // its block and lane
        std::uint16_t first, count;
        int block() const { return strand / kLanes; }
        int lane() const { return strand % kLanes; }
    };
    struct HashEntry {
        std::uint64_t key;
        std::int32_t run_count;  // of vertices in the tile itself
        std::int32_t tile;       // -1: none
    };
    struct Tile {
        std::uint64_t key;
        std::int32_t first_run, run_count;
        std::int32_t
            above[8];  // itself and the tiles up from it, bits as Corners; where it has runs
    };

    int find(std::uint64_t key) const;
    int insert(std::uint64_t key);
    void find_runs(const Channel<3>& x, int block);
    void clear();
    void order_touched();
    int tile_of(int slot);
    void choose_tiles();
    void sort_runs(const StrandLayout& layout, const TaskPool& pool);
    void set_tile_limit(std::size_t limit);
    void splat_tile(const Tile& tile, const Channel<3>& x, const Channel<3>& v,
                    const Channel<1>& volume);
    void answer_tile(int tile, const MixUniforms& uniforms);
    void mix_tile(const Tile& tile, const MixUniforms& uniforms, const Channel<3>& x, Channel<3>& v,
                  Channel<1>& density) const;
    template <class Visit>
    void visit_vertices(const Tile& tile, const Channel<3>& x, const Visit& visit) const;
    template <class Visit>
    static void visit_patch(const Tile& tile, const Visit& visit);

    float cells_per_metre_;

    std::vector<HashEntry> hash_;
    std::vector<std::int32_t> touched_;  // slots in use: those with runs, then others
    std::int32_t touched_count_ = 0;

    std::vector<Run> runs_, sorted_;        // by block; by tile
    std::vector<std::int32_t> block_runs_;  // how many of each block
    std::vector<Tile> tiles_;
    std::vector<std::int32_t> next_run_;   // per tile, while sorting
    std::vector<std::int32_t> by_colour_;  // tiles with runs
    std::array<std::int32_t, 9> colour_first_{};
    int tile_count_ = 0;

    std::vector<NodeSum> sums_;  // per tile, kTileNodes each
    std::vector<NodeAnswer> answers_;
};

}  // namespace ringlet
