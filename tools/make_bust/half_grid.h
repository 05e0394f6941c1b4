#pragma once

#include <cstddef>
#include <vector>

#include "vec3.h"

// Positive on one side of a line drawn on the surface, negative on the other.
using SideFunction = double (*)(Vec3);

// One half of the bust: rings run from crown to foot, columns from the front midline
// (column 0) to the back midline (the last column), on the side of positive x.
struct HalfGrid {
    HalfGrid(int row_count, int column_steps)
        : rows(row_count),
          columns(column_steps),
          points(static_cast<std::size_t>(row_count) * static_cast<std::size_t>(column_steps + 1)),
          line(points.size(), nullptr) {}

    std::size_t index(int row, int column) const {
        return static_cast<std::size_t>(row * (columns + 1) + column);
    }
    int column_of(std::size_t i) const { return static_cast<int>(i) % (columns + 1); }
    int row_of(std::size_t i) const { return static_cast<int>(i) / (columns + 1); }
    bool on_midline(int column) const { return column == 0 || column == columns; }

    // Neighbour lookup that continues over the poles and mirrors across the midline.
    Vec3 at(int row, int column) const {
        if (row < 0) {
            return crown;
        }
        if (row >= rows) {
            return foot;
        }
        const bool other_side = column < 0 || column > columns;
        const int folded = column < 0 ? -column : (other_side ? 2 * columns - column : column);
        const Vec3 p = points[index(row, folded)];
        return other_side ? Vec3{-p.x, p.y, p.z} : p;
    }

    int rows;
    int columns;
    Vec3 crown;
    Vec3 foot;
    std::vector<Vec3> points;
    std::vector<SideFunction> line;  // The line that holds each point, or null.
};

// Grid indices around one face of the half grid, counter-clockwise seen from outside.
using Loop = std::vector<std::size_t>;

// Casts rays from the central axis of the bust onto its surface.
HalfGrid cast_grid(int rows, int columns);

// Moves the points along the surface until their spacing follows target_spacing. The rings next to
// the poles and the points on the hairline are fixed; points on another line move only along it.
// (The hairline curves so tightly in front of the ear that moving points would bunch up.)
void relax(HalfGrid& grid, int rounds);

// Moves the nearer end of every edge that crosses a line onto it, so that vertices follow the line.
void snap_to_line(HalfGrid& grid, const std::vector<Loop>& loops, SideFunction line);

// Inserts a point between every two neighbours; coarse (row, column) becomes (2 row, 2 column).
HalfGrid doubled(const HalfGrid& coarse);
