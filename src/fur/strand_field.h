// Where strands stand in space, as a picture of three dimensions that repeats: fur cut out of it is
// as dense everywhere, whatever the mesh, and knows no seams, for no texture coordinates are
// needed.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.h"

namespace ringlet {

struct StrandField {
    // One strand stands in each cell of a cubic lattice, somewhere in it.
    static constexpr int kCells = 18, kTexelsPerCell = 5, kSide = kCells * kTexelsPerCell;
    // Farther from the nearest strand, in cells, is as far as it gets.
    static constexpr float kReach = 0.8f;

    // Four bytes a texel, x fastest: 1 - distance/kReach to the nearest strand; the length of that
    // strand, its shade and its slant, each evenly drawn.
    std::vector<std::uint8_t> rgba;
};

StrandField make_strand_field(std::uint32_t seed, const TaskPool& pool);

// Strands that a flat cut of one square cell meets within `radius` cells of themselves: one lies in
// each cubic cell, so those in a slab of twice the radius.
inline constexpr float strands_per_cell(float radius) { return 2 * radius; }

// The tile of the assignment's shell texture: grey, kShellTileSide squared, repeats.
inline constexpr int kShellTileSide = 128;
std::vector<std::uint8_t> make_shell_tile(std::uint32_t seed);

}  // namespace ringlet
