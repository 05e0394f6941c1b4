// Points sorted into cubic cells, for nearest-neighbour questions.
#pragma once

#include <span>
#include <vector>

#include "geom/mesh.h"

namespace ringlet {

class PointGrid {
public:
    explicit PointGrid(std::span<const Vec3f> points);

    // The index of the point nearest to p, the lowest of equals; -1 if there are none.
    int nearest(Vec3f p) const;
    // The `out.size()` nearest points, nearest first; returns how many there are.
    int nearest(Vec3f p, std::span<int> out) const;

private:
    struct Cell {
        int x, y, z;
    };
    Cell cell_of(Vec3f p) const;
    std::size_t slot_of(Cell c) const;
    // Calls see(i) for every point in the shell of cells `ring` away from the centre cell.
    template <class See>
    void visit_ring(Cell centre, int ring, const See& see) const;

    Bounds bounds_{{0, 0, 0}, {0, 0, 0}};
    float side_ = 1;
    Cell size_{1, 1, 1};
    std::vector<Vec3f> points_;
    std::vector<int> order_;     // point indices, cell after cell
    std::vector<int> first_of_;  // per cell, where it starts in order_
};

}  // namespace ringlet
