// A repeating 3D texture of strand positions. Shells sample it by position in space, so the density
// of fur does not depend on the mesh, and no texture coordinates or seams are involved.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.h"

namespace ringlet {

struct StrandField {
    // Each cell of a cubic lattice holds one strand at a random position.
    static constexpr int kCells = 18, kTexelsPerCell = 5, kSide = kCells * kTexelsPerCell;
    // The largest stored distance to the nearest strand, in cells; larger ones are clamped.
    static constexpr float kReach = 0.8f;

    // Four bytes per texel, x fastest: 1 - distance/kReach to the nearest strand; then three
    // uniform random values of that strand: length, brightness and slant.
    std::vector<std::uint8_t> rgba;
};

StrandField make_strand_field(std::uint32_t seed, const TaskPool& pool);

// Expected number of strands within `radius` cells of a plane, per cell area: each cubic cell holds
// one strand, and the slab is twice the radius thick.
inline constexpr float strands_per_cell(float radius) { return 2 * radius; }

// The repeating grey tile of the assignment's shell texture, kShellTileSide texels on each side.
inline constexpr int kShellTileSide = 128;
std::vector<std::uint8_t> make_shell_tile(std::uint32_t seed);

}  // namespace ringlet
